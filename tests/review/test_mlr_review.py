"""MLR on a scripted model: stages, union, dropped anchors, failures that lose nothing."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.project.manuscript import Manuscript
from analyzers.review.account import Progress
from analyzers.review.form import form_names, form_of
from analyzers.review.planning import input_tokens
from analyzers.review.points import PointKind
from analyzers.review.port import ModelRequest, Outcome, OutcomeKind, Role, Usage
from analyzers.review.prompting import instruction, places_of
from analyzers.review.reviewers.mlr import ReviewOptions, plan, planned_requests, review_manuscript
from analyzers.review.reviewers.registry import REVIEWERS
from analyzers.review.schema import read_review
from analyzers.review.script import Script, references_of, script_of
from analyzers.review.todo import todo_list
from clients.models.replay import ScriptedModel


@pytest.fixture
def script(paper: Manuscript) -> Script:
    return script_of(paper)


async def test_three_passes_and_the_appendix(paper: Manuscript, script: Script, kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    seen: list[Progress] = []
    options = ReviewOptions(references=references_of(paper))
    reviewed = await review_manuscript(script, model, options, seen.append)
    assert [request.role for request in model.requests] == [Role.APPENDIX, Role.REVIEW, Role.REVIEW, Role.REVIEW]
    passes = model.requests[1:]
    prefixes = {request.turns[0].segments[0].text for request in passes}
    assert len(prefixes) == 1, "the cached prefix is the same word for word"
    assert all(request.turns[0].segments[0].cached for request in passes)
    assert len({repr(request.schema) for request in passes}) == 1, "another schema would throw the cached prefix away"
    assert [len(request.turns) for request in passes] == [1, 3, 5], "every pass reads what the passes before it wrote"
    assert "<appendix_summary>\n- Experiments ran on one machine." in passes[2].turns[-1].segments[-1].text
    assert "Moon (2019)" in passes[0].turns[0].segments[0].text
    assert "3 hours" not in passes[0].turns[0].segments[0].text, "the reviewer never sees the appendix itself"
    assert reviewed.complete
    review = reviewed.review
    assert [point.text for point in review.of(PointKind.STRENGTH)] == ["A clear question."]
    assert review.of(PointKind.WEAKNESS)[0].anchors == ("s2", "s12")
    assert review.of(PointKind.QUESTION)[0].anchors == ("s12",)
    assert review.scores == {"overall": 5.0}, "a value that is off its scale is no score"
    assert reviewed.dropped.anchors == 3, "ids that do not exist are dropped and counted: two notes and a question"
    assert seen[-1].share == 1.0
    assert seen[-1].usage.calls == 4
    assert reviewed.account.done == plan(script, options).calls == 4


async def test_combined_is_one_call(script: Script, kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    reviewed = await REVIEWERS["mlr-combined"].run(script, model, ReviewOptions(appendix=False), lambda _: None)
    assert len(model.requests) == 1
    assert reviewed.review.recommendation == "Sound idea, contradictory numbers."


async def test_the_ensemble_is_a_union(script: Script, kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    reviewed = await review_manuscript(script, model, ReviewOptions(ensemble=3, combined=True, appendix=False))
    assert [request.epoch for request in model.requests] == [0, 1, 2]
    weaknesses = reviewed.review.of(PointKind.WEAKNESS)
    assert weaknesses[0].views == ("review 1", "review 2", "review 3")
    assert len(weaknesses[0].also) == 2, "folded points stay reachable"
    alone = [point for point in weaknesses if len(point.views) == 1]
    assert {view for point in alone for view in point.views} == {"review 1", "review 2", "review 3"}, (
        "what only one reading saw is kept: nothing is voted on"
    )
    assert reviewed.review.scores["overall"] == 5.0, "the lower median, a value of the form"


async def test_literature_with_search(script: Script, kit: Any) -> None:
    def answer(request: ModelRequest) -> Any:
        return "The closest work is X." if request.role is Role.LITERATURE else kit.scripted(request)

    model = ScriptedModel(answer)
    await review_manuscript(script, model, ReviewOptions(searches=5, appendix=False))
    assert model.requests[0].web_searches == 5
    assert "<literature>\nThe closest work is X.\n</literature>" in model.requests[-1].turns[-1].segments[-1].text
    offline = ScriptedModel(kit.scripted)
    await review_manuscript(script, offline, ReviewOptions(appendix=False))
    assert all(request.role is not Role.LITERATURE for request in offline.requests)


async def test_a_section_is_reviewed_in_its_context(script: Script, kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    await review_manuscript(script, model, ReviewOptions(focus=("s11", "s12"), combined=True, appendix=False))
    [request] = model.requests
    assert "the lines s11, s12." in "".join(segment.text for segment in request.turns[0].segments)
    assert "[s1]" in request.turns[0].segments[0].text


FAILURES = [
    ("pass 1", OutcomeKind.REFUSED, 3, True),
    ("pass 2", OutcomeKind.MALFORMED, 3, True),
    ("pass 3", OutcomeKind.TRUNCATED, 3, True),
    ("pass 2", OutcomeKind.OVERLOADED, 2, True),
    ("pass 1", OutcomeKind.SPEND_LIMIT, 1, False),
    ("pass 3", OutcomeKind.BUDGET, 3, True),
]


@pytest.mark.parametrize(("stage", "kind", "asked", "points"), FAILURES)
async def test_a_failed_pass_loses_nothing(
    script: Script, kit: Any, stage: str, kind: OutcomeKind, asked: int, points: bool
) -> None:
    def answer(request: ModelRequest) -> Any:
        if stage in request.purpose:
            return Outcome(kind, usage=Usage(input_tokens=10, calls=1), cost_microusd=7, detail="as planned")
        return kit.scripted(request)

    model = ScriptedModel(answer)
    reviewed = await review_manuscript(script, model, ReviewOptions(appendix=False))
    assert not reviewed.complete
    assert len(model.requests) == asked
    assert [(failure.kind, failure.detail) for failure in reviewed.account.failures] == [(kind, "as planned")]
    assert reviewed.account.usage.calls == asked, "every call is accounted, also one without an answer"
    assert bool(reviewed.review.points) is points
    if stage == "pass 3":
        assert reviewed.review.points[0].text == "The number of gauges differs."
        assert "passes before it" in reviewed.notes[0]
    speakers = [turn.speaker for turn in model.requests[-1].turns]
    assert all(first is not second for first, second in pairwise(speakers))


async def test_an_empty_paper_asks_nobody(kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    reviewed = await review_manuscript(script_of(manuscript_of({"main.tex": "% nothing\n"})), model)
    assert not model.requests
    assert not reviewed.complete
    assert "no text" in reviewed.notes[0]


async def test_a_chinese_paper(kit: Any) -> None:
    text = "\\section{方法}\n我们使用三十六个传感器。误差从4.2下降到3.1。\n\n\\section{结果}\n我们使用四十八个传感器。"
    script = script_of(manuscript_of({"main.tex": text}))
    model = ScriptedModel(kit.scripted)
    await review_manuscript(script, model, ReviewOptions(language="中文"))
    assert "我们使用三十六个传感器" in model.requests[0].turns[0].segments[0].text
    assert "Write in 中文." in model.requests[-1].turns[-1].segments[-1].text


def test_the_plan_is_an_upper_bound(script: Script, kit: Any) -> None:
    options = ReviewOptions(ensemble=2, searches=3)
    requests = planned_requests(script, options)
    assert [request.role for request in requests].count(Role.REVIEW) == 6
    assert plan(script, options).input_tokens == sum(input_tokens(request) for request in requests)
    assert planned_requests(replace(script, main=()), options) == ()


ODD: list[Any] = [None, [], "prose instead of JSON", {"weaknesses": "none"}, {"weaknesses": [1, {"text": 3}, {"text": " "}]}, {"scores": [{"name": "overall", "value": True}, {"name": 3}]}, {"todo": [{"text": "x", "anchors": "s1"}]}, {"questions": [{"text": "q", "anchors": [None, 4, "s1; drop", "[S1]"]}]}]  # fmt: skip


@pytest.mark.parametrize("data", ODD)
def test_answers_of_any_shape_are_read(script: Script, data: Any) -> None:
    review, dropped = read_review(data, script, form_of("neurips"))
    assert all(anchor in script.places for point in review.points for anchor in point.anchors)
    if data and "questions" in data:
        assert review.points[0].anchors == ("s1",)
        assert dropped.anchors == 3
    if data == []:
        assert dropped.points == 1


@pytest.mark.parametrize("name", form_names())
def test_forms_are_whole(name: str) -> None:
    form = form_of(name)
    assert form.scales
    assert list(form.overall.values) == sorted(form.overall.values)
    assert {"strengths", "weaknesses", "questions", "recommendation", "score", "todo"} <= form.sections.keys()
    assert form.overall.nearest(form.overall.values[0]) == form.overall.values[0]
    assert form.overall.nearest(99) is None


def test_neurips_has_ten_points() -> None:
    assert form_of("neurips").overall.values == tuple(range(1, 11))
    assert set(form_names()) >= {"neurips", "iclr", "icml", "acl-arr", "journal"}


def test_prompts_keep_their_contract() -> None:
    from importlib.resources import files

    folder = files("analyzers.review").joinpath("prompts")
    contract = folder.joinpath("README.md").read_text("utf-8")
    for item in folder.iterdir():
        name = item.name.removesuffix(".md")
        if name == "README" or not item.name.endswith(".md"):
            continue
        listed = "tone-*.md" if name.startswith("tone-") else f"{name}.md"
        row = next(line for line in contract.splitlines() if line.startswith("|") and f"`{listed}`" in line)
        assert all(f"`{place}`" in row for place in places_of(name)), name
        assert "{{" not in instruction(name, **dict.fromkeys(places_of(name), "x"))


async def test_the_to_do_list(script: Script, kit: Any) -> None:
    reviewed = await review_manuscript(script, ScriptedModel(kit.scripted), ReviewOptions(appendix=False))
    tasks = todo_list(reviewed.review.points)
    assert [task.text for task in tasks] == ["State one number of gauges."], "its weakness is covered by the task"
