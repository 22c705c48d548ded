"""Recordings: what was recorded is what is played, and a damaged file is said to be one."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.review.port import ModelRequest, Outcome, OutcomeKind, Role, Segment, Source, Speaker, Turn, Usage
from clients.models.codec import outcome_from_json, outcome_to_json, request_digest
from clients.models.estimate import upper_bound
from clients.models.replay import (
    Exchange,
    RecordingError,
    RecordingModel,
    ReplayModel,
    ScriptedModel,
    load,
)

SCHEMA = {"type": "object", "properties": {"points": {"type": "array"}}}


def request(text: str = "Is it so?", role: Role = Role.REVIEW, epoch: int = 0, purpose: str = "") -> ModelRequest:
    turns = (Turn(Speaker.USER, (Segment(text),)),)
    return ModelRequest(role, (Segment("You review.", cached=True),), turns, SCHEMA, epoch=epoch, purpose=purpose)


async def test_what_was_recorded_is_played(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    answers = iter(
        [{"points": [1]}, {"points": [2]}, Outcome(OutcomeKind.REFUSED, usage=Usage(input_tokens=7, calls=1))]
    )
    recorder = RecordingModel(ScriptedModel(lambda _: next(answers)), path, origin="written by hand", prompts=True)
    first = await recorder.ask(request("a"))
    second = await recorder.ask(request("a", epoch=1))
    third = await recorder.ask(request("b"))

    model = ReplayModel.from_file(path)
    again = await model.ask(request("a", epoch=1, purpose="another purpose"))
    assert again.data == {"points": [2]}
    assert again.replayed
    assert again.usage == second.usage
    assert (await model.ask(request("a"))).data == first.data
    assert (await model.ask(request("a"))).data == first.data  # the last of equal digests repeats
    refused = await model.ask(request("b"))
    assert (refused.kind, refused.usage) == (third.kind, third.usage)
    head = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    assert head == {"format": "counterclaim-exchanges", "version": 1, "origin": "written by hand"}


async def test_an_unknown_request_has_no_answer() -> None:
    outcome = await ReplayModel([]).ask(request(purpose="pass 2"))
    assert outcome.kind is OutcomeKind.UNAVAILABLE
    assert "review (pass 2)" in outcome.detail
    assert outcome.usage == Usage()


async def test_exchanges_written_by_hand_answer_in_their_order_by_role() -> None:
    model = ReplayModel(
        [
            Exchange(Role.REVIEW, Outcome(OutcomeKind.ANSWERED, text="one")),
            Exchange(Role.APPENDIX, Outcome(OutcomeKind.ANSWERED, text="summary")),
            Exchange(Role.REVIEW, Outcome(OutcomeKind.ANSWERED, text="two")),
        ]
    )
    asked = [Role.REVIEW, Role.REVIEW, Role.APPENDIX, Role.REVIEW]
    texts = [(await model.ask(request(str(number), role))).text for number, role in enumerate(asked)]
    assert texts == ["one", "two", "summary", ""]
    assert [asked.role for asked in model.requests] == asked


def test_a_line_cut_off_at_the_end_is_passed_over_and_one_in_the_middle_is_not(tmp_path: Path) -> None:
    head = '{"format": "counterclaim-exchanges", "version": 1}\n'
    good = json.dumps({"request": {"role": "review"}, "outcome": {"kind": "answered", "text": "a\u2028b"}}) + "\n"
    path = tmp_path / "run.jsonl"
    path.write_text(head + good + good[:30], encoding="utf-8")
    assert [exchange.outcome.text for exchange in load(path)] == ["a\u2028b"]
    path.write_text(head + good[:30] + "\n" + good, encoding="utf-8")
    with pytest.raises(RecordingError, match="line 2"):
        load(path)


@pytest.mark.parametrize(
    "text", ["", "\n", "[]", "not json", '{"format": "other"}', '{"format": "counterclaim-exchanges", "version": 2}']
)
def test_other_files_are_no_recordings(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordingError):
        load(path)


def test_the_digest_knows_what_is_asked_and_not_what_is_said_about_it() -> None:
    base = request_digest(request())
    assert request_digest(request(purpose="shown only")) == base
    others = [request("Is it not so?"), request(epoch=1), request(role=Role.JUDGE)]
    assert len({base, *(request_digest(other) for other in others)}) == 4
    one = Turn(Speaker.USER, (Segment("ab"),))
    two = Turn(Speaker.USER, (Segment("a"), Segment("b")))
    system = (Segment("s"),)
    # How a text is cut into segments decides what a provider caches, so it is told apart.
    assert request_digest(ModelRequest(Role.GRAPH, system, (one,))) != request_digest(
        ModelRequest(Role.GRAPH, system, (two,))
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
whole = st.integers(0, 10**12)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(OutcomeKind),
    st.text(st.characters()),
    json_values,
    st.tuples(*[whole] * 8),
    st.none() | whole,
    st.booleans(),
)
def test_outcomes_survive_json(
    kind: OutcomeKind, text: str, data: object, usage: tuple[int, ...], cost: int | None, bound: bool
) -> None:
    outcome = Outcome(
        kind, text, data, Usage(*usage), "model", cost, detail=text, usage_is_bound=bound, sources=(Source(text, text),)
    )  # type: ignore[arg-type]
    assert outcome_from_json(json.loads(json.dumps(outcome_to_json(outcome)))) == outcome


@settings(max_examples=80, deadline=None)
@given(json_values)
def test_any_json_is_read_as_an_outcome_or_none(value: object) -> None:
    read = outcome_from_json(value)
    assert read is None or isinstance(read, Outcome)


def test_the_bound_grows_with_every_part_and_counts_digits_and_other_scripts_dearly() -> None:
    plain = upper_bound(request("word " * 300))
    assert plain >= 500
    assert upper_bound(request("1 2 3 4 5 " * 150)) > plain
    assert upper_bound(request("汉字" * 750)) >= 3_000
    searching = ModelRequest(Role.LITERATURE, (), (Turn(Speaker.USER, (Segment("x"),)),), web_searches=3)
    assert upper_bound(searching) > 3_000
