"""A model refines the graph: what it names is kept, what it makes up is dropped, and nothing is asked twice."""

import re
from typing import Any

import pytest

from analyzers.graph.build import build
from analyzers.graph.refine import refine, requests
from analyzers.graph.schema import NodeType, Relation, Subtype
from analyzers.project.manuscript import Manuscript
from analyzers.review.port import JsonValue, ModelRequest, Outcome, OutcomeKind, Role


class Scripted:
    """A model that answers each part with what the script says of its title."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.asked: list[ModelRequest] = []

    async def ask(self, request: ModelRequest) -> Outcome:
        self.asked.append(request)
        text = request.turns[0].segments[0].text
        title = re.search(r"Part: (.*)", text)
        assert title is not None
        answer = self.script.get(title[1], {"nodes": [], "edges": []})
        if isinstance(answer, Outcome):
            return answer
        return Outcome(OutcomeKind.ANSWERED, data=answer(text) if callable(answer) else answer)

    async def count(self, request: ModelRequest) -> int:
        return len(request.turns[0].segments[0].text)


def name_of(text: str, words: str) -> str:
    found = re.search(rf"^(s\d+) .*{re.escape(words)}", text, re.MULTILINE)
    assert found is not None
    return found[1]


def node(type_: str, subtype: str, description: str, *sentences: str) -> dict[str, Any]:
    return {"type": type_, "subtype": subtype, "description": description, "sentences": list(sentences)}


def method(text: str) -> JsonValue:
    return {
        "nodes": [
            node("Methodology", "", "Drift is a random walk.", name_of(text, "random walk whose variance")),
            node("Claim", "Main", "Made up.", "s999"),
        ],
        "edges": [
            {
                "source": "p1",
                "target": re.search(r"^(n\w+) \(main claim\)", text, re.MULTILINE)[1],
                "relation": "supports",
                "reason": "it is how",
            },  # type: ignore[index]
            {"source": "p1", "target": "nowhere", "relation": "supports", "reason": ""},
            {"source": "p2", "target": "p1", "relation": "supports", "reason": ""},
        ],
    }


async def test_what_has_a_place_is_merged_and_the_rest_is_dropped(paper: Manuscript) -> None:
    refined = await refine(paper, Scripted({"Method": method}), {})
    added = next(item for item in refined.graph.nodes if item.description == "Drift is a random walk.")
    assert (added.type, added.origin, added.distance) == (NodeType.METHODOLOGY, "model", 1)
    assert (
        paper.text(added.spans[0]) == "We model the drift of a sensor as a random walk whose variance grows every day."
    )
    (edge,) = [edge for edge in refined.graph.edges if edge.source == added.id and "model" in edge.evidence]
    assert edge.reason == "it is how"
    assert not [item for item in refined.graph.nodes if item.description == "Made up."]
    assert (refined.kept, refined.dropped, refined.failures) == (2, 3, ())


async def test_a_known_sentence_changes_its_node_and_keeps_its_id(paper: Manuscript) -> None:
    before = next(item for item in build(paper).nodes if "drift is the main source" in item.description)

    def experiments(text: str) -> JsonValue:
        return {
            "nodes": [node("Claim", "Tertiary", "Drift matters most.", name_of(text, "drift is the main source"))],
            "edges": [],
        }

    refined = await refine(paper, Scripted({"Experiments": experiments}), {})
    after = refined.graph.by_id[before.id]
    assert (after.subtype, after.description, after.spans[0]) == (
        Subtype.TERTIARY,
        "Drift matters most.",
        before.spans[0],
    )


async def test_an_answer_is_paid_for_once(paper: Manuscript) -> None:
    cache: dict[str, JsonValue] = {}
    model = Scripted({"Method": method})
    first = await refine(paper, model, cache)
    second = await refine(paper, model, cache)
    assert first.asked == len(model.asked) == len(requests(paper))
    assert (second.asked, second.cached) == (0, first.asked)
    assert second.graph == first.graph


async def test_contradictions_of_a_model_are_kept(paper: Manuscript) -> None:
    def abstract(text: str) -> JsonValue:
        one, other = name_of(text, "We present"), name_of(text, "We show")
        nodes = [node("Claim", "Main", "One.", one), node("Evidence", "Main", "Another.", other)]
        return {
            "nodes": nodes,
            "edges": [{"source": "p1", "target": "p2", "relation": "contradicts", "reason": "they differ"}],
        }

    refined = await refine(paper, Scripted({"Abstract": abstract}), {})
    (edge,) = [edge for edge in refined.graph.edges if edge.relation is Relation.CONTRADICTS]
    assert refined.graph.by_id[edge.target].subtype is Subtype.MEDIUM  # “Main” is no strength of evidence


@pytest.mark.parametrize(
    "answer", [{"nodes": "no"}, None, "text", {"nodes": [{"type": "Opinion"}], "edges": []}], ids=str
)
async def test_an_unusable_answer_costs_its_part_only(paper: Manuscript, answer: Any) -> None:
    cache: dict[str, JsonValue] = {}
    refined = await refine(paper, Scripted({"Method": lambda text: answer}), cache)
    assert len(refined.failures) == 1
    assert refined.graph.nodes == build(paper).nodes
    assert len(cache) == len(requests(paper)) - 1


async def test_after_a_hopeless_failure_nothing_more_is_asked(paper: Manuscript) -> None:
    model = Scripted({"Abstract": Outcome(OutcomeKind.BUDGET, detail="the budget is used up")})
    refined = await refine(paper, model, {})
    assert len(model.asked) == 1
    assert refined.failures == ("Abstract: budget (the budget is used up)",)


async def test_too_many_main_claims_are_lowered(paper: Manuscript) -> None:
    def all_main(text: str) -> JsonValue:
        return {
            "nodes": [
                node("Claim", "Main", f"Claim {name}.", name) for name in re.findall(r"^(s\d+) ", text, re.MULTILINE)
            ],
            "edges": [],
        }

    titles = ("Abstract", "Introduction", "Method", "Experiments", "Limitations", "Conclusion")
    refined = await refine(paper, Scripted(dict.fromkeys(titles, all_main)), {})
    assert len(refined.graph.main_claims) == 6
    assert {item.origin for item in refined.graph.main_claims} == {"model"}


def test_requests_hold_sentences_with_names_and_a_closed_schema(paper: Manuscript) -> None:
    for request in requests(paper):
        assert request.role is Role.GRAPH
        assert request.schema is not None
        assert request.schema["additionalProperties"] is False
        assert re.search(r"^s1 \S", request.turns[0].segments[0].text, re.MULTILINE)
    assert any("We model the drift" in request.turns[0].segments[0].text for request in requests(paper))


def test_an_edit_elsewhere_leaves_a_question_as_it_is(paper: Manuscript, paper_text: str) -> None:
    from analyzers.checks.examples import manuscript_of

    other = manuscript_of({"main.tex": paper_text.replace("which we did not test", "which nobody visited so far")})
    one, two = ({request.turns[0].segments[0].text for request in requests(item)} for item in (paper, other))
    assert len(one & two) == len(one) - 1
