"""The contradiction pass: several finders, one verifier, union and never a vote, within a bound."""

from typing import Any

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.driver import analyse
from analyzers.finding import Candidate
from analyzers.project.manuscript import Manuscript
from analyzers.related.paragraph import paragraph_at
from analyzers.review.contradiction.ledger import Ledger, seeds
from analyzers.review.contradiction.pairs import Pair, Pairs, of_candidates
from analyzers.review.contradiction.search import (
    SearchOptions,
    check_paragraph,
    find_contradictions,
    planned_requests,
    windows,
)
from analyzers.review.contradiction.verifier import verifications
from analyzers.review.points import Dropped
from analyzers.review.port import ModelRequest, Outcome, OutcomeKind, Role
from analyzers.review.script import Script, script_of
from clients.models.replay import ScriptedModel


@pytest.fixture
def script(paper: Manuscript) -> Script:
    return script_of(paper)


async def test_both_sides_are_found_once(paper: Manuscript, script: Script, kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    other = Candidate("REL001", 0.5, "", (script.places["s3"], script.places["s11"]))
    found = await find_contradictions(paper, script, (other,), model)
    [point] = found.points
    assert point.anchors == ("s2", "s12")
    assert point.sides == 1
    assert point.views[:2] == ("whole text", "window 1")
    assert found.complete
    assert [pair.views for pair in found.refuted] == [("REL001",)]
    assert not found.undecided


async def test_the_verifier_never_sees_the_reason(paper: Manuscript, script: Script, kit: Any) -> None:
    model = ScriptedModel(kit.scripted)
    await find_contradictions(paper, script, (), model)
    verifying = [request for request in model.requests if request.role is Role.VERIFY]
    text = "".join(s.text for request in verifying for turn in request.turns for s in turn.segments)
    assert "36 against 48" not in text
    assert "side A" in text
    assert "[s2] TideNet lowers the error" in text
    assert "[s12] We used 48 gauges" in text
    assert "[s6]" not in text, "two passages with a little context, and nothing else"


async def test_a_verdict_needs_a_statement_of_each_side(paper: Manuscript, script: Script, kit: Any) -> None:
    def answer(request: ModelRequest) -> Any:
        given = kit.scripted(request)
        for verdict in given.get("verdicts", ()):
            verdict["conflicting"] = ["s2", "s1", "s404"]
        return given

    found = await find_contradictions(paper, script, (), ScriptedModel(answer))
    assert not found.points
    assert [pair.first for pair in found.undecided] == [("s2",)]
    assert found.dropped.anchors == 1


async def test_no_verdict_is_no_contradiction(paper: Manuscript, script: Script, kit: Any) -> None:
    def answer(request: ModelRequest) -> Any:
        if request.role is Role.VERIFY:
            return Outcome(OutcomeKind.TIMED_OUT)
        return kit.scripted(request)

    found = await find_contradictions(paper, script, (), ScriptedModel(answer))
    assert not found.points
    assert len(found.undecided) == 1
    assert not found.complete


async def test_nothing_is_asked_after_a_spend_limit(paper: Manuscript, script: Script) -> None:
    model = ScriptedModel(lambda _: Outcome(OutcomeKind.SPEND_LIMIT))
    found = await find_contradictions(paper, script, analyse(paper, candidates=True).candidates, model)
    assert len(model.requests) == 1
    assert not found.complete


async def test_an_edited_paragraph_costs_little(paper: Manuscript, script: Script, kit: Any) -> None:
    text = paper.files["main.tex"].text
    at = text.index("We used 48 gauges")
    model = ScriptedModel(kit.scripted)
    found = await check_paragraph(paper, script, paragraph_at(paper, "main.tex", at, at + 5), model)
    assert len(model.requests) == 2
    assert [point.anchors for point in found.points] == [("s2", "s12")]
    assert found.input_tokens < 2_500, "two small calls, most of it instructions"


async def test_the_ledger_reaches_later_windows(kit: Any) -> None:
    manuscript = manuscript_of(kit.ten_pages())
    script = script_of(manuscript)
    model = ScriptedModel(kit.scripted)
    options = SearchOptions(whole=False, candidates=0)
    await find_contradictions(manuscript, script, (), model, options)
    texts = [request.turns[0].segments[0].text for request in model.requests if request.schema_name == "conflicts"]
    assert len(texts) == len(windows(script)) >= 5
    assert "[s2] 36 gauges" not in texts[0]
    assert all("[s2] 36 gauges" in text for text in texts[1:])


def test_the_ledger_is_bounded(script: Script) -> None:
    ledger = Ledger(script, [("s1", "seed " * 30)] * 50, limit=300)
    for number in range(100):
        ledger.take({"ledger": [{"ids": ["s2"], "statement": f"entry {number} " + "x" * 150}]}, Dropped())
    text = ledger.text(frozenset())
    assert len(text) < 1_600
    assert "entry 99" in text
    assert "entry 1 " not in text
    assert "[s1]" in text
    ledger.take({"ledger": [{"ids": ["s999"], "statement": "of nothing"}, 3, {"ids": 4}]}, Dropped())
    assert "of nothing" not in ledger.text(frozenset())
    ledger.take("prose", Dropped())


def test_seeds_hold_claims_settings_and_symbols(paper: Manuscript, script: Script) -> None:
    given = dict.fromkeys(text for _, text in seeds(paper, script))
    assert any("TideNet" in text for text in given)
    assert any("0.01" in text for text in given)
    assert any("λ" in text for text in given)


def test_seeds_hold_nothing_hidden() -> None:
    text = "We train. \\textcolor{white}{We use a batch size of 777 for SecretNet always.} We use a batch size of 32."
    manuscript = manuscript_of({"main.tex": text})
    from analyzers.review.withholding import hidden_findings

    script = script_of(manuscript, hidden_findings(manuscript))
    assert "777" not in str(seeds(manuscript, script))
    assert "Secret" not in str(seeds(manuscript, script))


def test_windows_cover_every_line_once(kit: Any) -> None:
    script = script_of(manuscript_of(kit.ten_pages()))
    parts = windows(script)
    assert [line for part in parts for line in part] == list(script.lines)
    assert windows(Script("", (), ())) == ()


def test_pairs_are_a_union(script: Script) -> None:
    pairs = Pairs(script)
    assert pairs.add(Pair(("s1",), ("s2",), ("a",)))
    assert pairs.add(Pair(("s2",), ("s1",), ("b",)))
    assert not pairs.add(Pair(("s1",), ("s1",), ("c",)))
    assert not pairs.add(Pair(("s1",), (), ("c",)))
    assert not pairs.add(Pair(("s404",), ("s1",), ("c",)))
    assert pairs.add(Pair(("t1r3c2",), ("t1r2c2",), ("d",)))
    assert [pair.views for pair in pairs.all()] == [("a", "b"), ("d",)]


def test_kinds_of_candidates_take_turns(paper: Manuscript, script: Script) -> None:
    spans = [script.places[name] for name in ("s1", "s2", "s3", "s4", "s5")]
    many = [Candidate("REL001", 1 - i / 100, "", (spans[i], spans[(i + 1) % 5])) for i in range(5)]
    one = Candidate("CON001", 0.2, "", (spans[0], spans[3]))
    assert [pair.views[0] for pair in of_candidates([*many, one], script, 3)] == ["CON001", "REL001", "REL001"]


async def test_the_limit_holds(kit: Any) -> None:
    manuscript = manuscript_of(kit.ten_pages())
    script = script_of(manuscript)
    candidates = analyse(manuscript, candidates=True).candidates
    for limit in (1_000, 9_000, 25_000):
        options = SearchOptions(max_input_tokens=limit)
        found = await find_contradictions(manuscript, script, candidates, ScriptedModel(kit.scripted), options)
        assert found.input_tokens <= limit
        assert found.notes, "what was left out is said"


async def test_a_book_is_stopped_by_its_limit(kit: Any) -> None:
    chapter = kit.ten_pages()["main.tex"].split("\\maketitle")[1].split("\\appendix")[0]
    book = (
        "\\begin{document}"
        + "".join(chapter.replace("In ", f"In part {n} ", 40) for n in range(25))
        + "\\end{document}"
    )
    manuscript = manuscript_of({"main.tex": book})
    script = script_of(manuscript)
    model = ScriptedModel(kit.scripted)
    options = SearchOptions(max_input_tokens=30_000)
    found = await find_contradictions(manuscript, script, (), model, options)
    assert found.input_tokens <= 30_000
    assert any("too long to be read at once" in note for note in found.notes)
    assert any("windows were not read" in note for note in found.notes)


def test_what_would_be_asked(paper: Manuscript, script: Script) -> None:
    requests = planned_requests(paper, script, analyse(paper, candidates=True).candidates)
    assert [request.schema_name for request in requests][:2] == ["conflicts", "conflicts"]
    assert requests[-1].schema_name == "verdicts"
    assert planned_requests(paper, Script("", (), ()), ()) == ()


def test_pairs_of_a_table_show_caption_and_head(script: Script) -> None:
    [request] = verifications(script, [Pair(("t1r3c2",), ("s11",))])
    text = request.turns[0].segments[0].text
    assert "Error in cm" in text
    assert "[t1r1] Method | North | South" in text
    assert "[t1r3] TideNet" in text
