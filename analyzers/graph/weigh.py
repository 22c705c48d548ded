"""How much a draft matters, and what type of node it would be, given its section and the words of the summary.

The weights are those of a logistic regression (strongly regularised, rounded) on sentences that readers took for nodes of
claim/evidence graphs in four papers; fitted on three, it finds three quarters of the nodes of the fourth in a third of its text.
"""

from functools import lru_cache
from typing import NamedTuple

from analyzers.graph.cues import Cue
from analyzers.graph.drafts import Draft
from analyzers.graph.schema import Form, NodeType, Subtype
from analyzers.project.sections import SectionClass
from analyzers.text.prose import PartKind


class Place(NamedTuple):
    """Where a draft stands: the class of its section and what the section's title says."""

    kind: SectionClass
    appendix: bool = False
    aside: bool = False  # a checklist, acknowledgements, lists of contents
    discussion: bool = False
    limitations: bool = False
    contributions: bool = False


class Weighed(NamedTuple):
    """A draft with its importance (log odds), type and subtype; `claim` is how much it reads like a claim."""

    draft: Draft
    score: float
    type: NodeType
    subtype: Subtype
    claim: float


_CUES = (
    (Cue.ANNOUNCE, 0.6), (Cue.FIND, 0.7), (Cue.STRENGTH, 0.8), (Cue.INTERPRET, 0.4), (Cue.COMPARE, 0.2), (Cue.LIMIT, 0.1), (Cue.SETUP, 0.1), (Cue.EVIDENCE, 0.4),
    (Cue.NEGATION, 0.3), (Cue.BACKGROUND, -0.4), (Cue.HEDGE, -0.2), (Cue.SKIP, -1.5),
)  # fmt: skip
_SECTIONS = {
    SectionClass.ABSTRACT: 0.5,
    SectionClass.INTRODUCTION: 0.2,
    SectionClass.RELATED: -0.6,
    SectionClass.METHOD: -0.2,
    SectionClass.EXPERIMENTS: 0.1,
    SectionClass.CONCLUSION: 0.9,
    SectionClass.APPENDIX: -0.7,
    SectionClass.OTHER: -0.2,
}
_FORMS = {Form.SENTENCE: 0.0, Form.TABLE: 1.2, Form.FIGURE: -0.4, Form.ALGORITHM: 0.0, Form.THEOREM: 0.9}
_INTERCEPT = -2.6
_GROUNDS = frozenset({"definition", "defn", "defi", "assumption", "ass", "axiom"})


def weighed(draft: Draft, place: Place, summary: frozenset[str]) -> Weighed:
    """The importance and the type of one draft; `summary` are the terms of what the paper says of itself."""
    type_, subtype, claim = _type(draft, place)
    return Weighed(draft, _score(draft, place, summary), type_, subtype, claim)


def _score(draft: Draft, place: Place, summary: frozenset[str]) -> float:
    cue, kind = draft.cue, place.kind
    score = _INTERCEPT + _SECTIONS[kind] + _FORMS[draft.form] + _cue_weight(cue)
    shared = len(draft.terms & summary)
    score += 0.9 * min(shared, 12) / 12 + 0.8 * shared / (len(draft.terms) + 4)
    if place.aside:
        score -= 2.5
    if place.discussion or place.limitations:
        score += 0.5
    if draft.form is not Form.SENTENCE:
        return score - (0.4 if draft.environment in _GROUNDS else 0.0)
    score -= 0.8 * min(draft.cited, 3) / 3
    if kind is SectionClass.EXPERIMENTS:
        score += (0.7 if cue & Cue.FIND else 0.0) + (0.3 if draft.figures else 0.0)
    elif kind is SectionClass.METHOD:
        score += 0.6 if cue & Cue.METHOD else 0.0
    elif kind is SectionClass.INTRODUCTION:
        score += 0.4 if cue & Cue.ANNOUNCE else 0.0
    if draft.place == 0 and draft.follows:
        score -= 0.6
    if draft.follows == 0 and draft.place:
        score += 0.3
    if draft.part is PartKind.ITEM and not place.contributions:
        score -= 0.3
    if draft.words < 9:
        score -= 0.3
    if draft.environment == "proof":
        score -= 1.0
    return score


@lru_cache(maxsize=4096)
def _cue_weight(cue: int) -> float:
    return sum(weight for wanted, weight in _CUES if cue & wanted)


def _type(draft: Draft, place: Place) -> tuple[NodeType, Subtype, float]:
    if draft.form is not Form.SENTENCE:
        return _of_form(draft, place)
    if draft.environment == "proof":
        return NodeType.EVIDENCE, Subtype.HIGH, 0.0
    claim, evidence, method, setup = _likeness(draft, place)
    best = max(claim, evidence, method, setup)
    if best == claim:
        return NodeType.CLAIM, _claim_weight(draft, place), claim
    if best == evidence:
        return NodeType.EVIDENCE, _strength(draft, place), claim
    return (NodeType.METHODOLOGY if best == method else NodeType.IMPLEMENTATION), Subtype.NONE, claim


def _of_form(draft: Draft, place: Place) -> tuple[NodeType, Subtype, float]:
    if draft.form is Form.THEOREM:
        return NodeType.THEORY, Subtype.NONE, 0.0
    if draft.form is Form.ALGORITHM:
        return NodeType.METHODOLOGY, Subtype.NONE, 0.0
    return _table(draft, place) if draft.form is Form.TABLE else _figure(draft, place)


_CLAIM = {
    SectionClass.ABSTRACT: 1.2,
    SectionClass.INTRODUCTION: 0.8,
    SectionClass.CONCLUSION: 1.2,
    SectionClass.RELATED: 0.6,
    SectionClass.EXPERIMENTS: 0.2,
    SectionClass.OTHER: 0.4,
}
_EVIDENCE = {
    SectionClass.EXPERIMENTS: 0.6,
    SectionClass.APPENDIX: 0.4,
    SectionClass.OTHER: 0.2,
    SectionClass.METHOD: -0.3,
    SectionClass.ABSTRACT: -0.4,
    SectionClass.INTRODUCTION: -0.4,
}
_METHOD = {SectionClass.METHOD: 0.7, SectionClass.INTRODUCTION: 0.1}
_SETUP = {
    SectionClass.METHOD: 0.2,
    SectionClass.EXPERIMENTS: 0.2,
    SectionClass.APPENDIX: 0.5,
    SectionClass.ABSTRACT: -1.0,
    SectionClass.INTRODUCTION: -0.5,
    SectionClass.CONCLUSION: -0.8,
}


def _likeness(draft: Draft, place: Place) -> tuple[float, float, float, float]:
    cue, kind, figures = draft.cue, place.kind, draft.figures
    # Written out, since this is computed for every sentence: a call for each cue costs three times as much.
    claim = (
        _CLAIM.get(kind, 0.0)
        + (0.8 if cue & Cue.ANNOUNCE else 0.0)
        + (0.4 if cue & Cue.FIND else 0.0)
        + (0.5 if cue & Cue.STRENGTH else 0.0)
        + (0.6 if cue & Cue.INTERPRET else 0.0)
        + (0.5 if cue & Cue.LIMIT else 0.0)
        + (0.1 if cue & Cue.SCOPE else 0.0)
    )
    claim += 0.6 if place.limitations or place.discussion else 0.0
    claim -= (0.3 if cue & Cue.METHOD else 0.0) + (0.3 if figures > 1 else 0.0)
    evidence = (
        _EVIDENCE.get(kind, 0.0)
        + (0.4 if cue & Cue.EVIDENCE else 0.0)
        + (0.5 if cue & Cue.FIND else 0.0)
        + (0.3 if cue & Cue.COMPARE else 0.0)
        + (0.2 if cue & Cue.STRENGTH else 0.0)
    )
    evidence += (
        0.3 * min(figures, 3)
        + (0.2 if draft.references else 0.0)
        - ((0.2 if figures else 0.5) if cue & Cue.INTERPRET else 0.0)
    )
    method = (
        _METHOD.get(kind, 0.0)
        + (0.8 if cue & Cue.METHOD else 0.0)
        + (0.2 if cue & Cue.OURS else 0.0)
        - (0.2 if cue & Cue.SETUP else 0.0)
        - (0.4 if cue & Cue.FIND else 0.0)
    )
    setup = (
        _SETUP.get(kind, 0.0)
        + (0.7 if cue & Cue.SETUP else 0.0)
        + (0.3 if cue & Cue.METHOD else 0.0)
        + (0.2 if figures else 0.0)
        - (0.5 if cue & Cue.FIND else 0.0)
        - (0.2 if cue & Cue.STRENGTH else 0.0)
    )
    return claim, evidence, method, setup


def _claim_weight(draft: Draft, place: Place) -> Subtype:
    if place.limitations or draft.cue & Cue.LIMIT or place.appendix or place.kind is SectionClass.RELATED:
        return Subtype.TERTIARY
    return Subtype.SECONDARY


def _strength(draft: Draft, place: Place) -> Subtype:
    """Numbers or tests behind a statement make evidence strong; an appendix and quoted work weaken it."""
    if draft.cited and not draft.figures:
        return Subtype.LOW
    measured = (draft.figures > 0) + bool(draft.references) + bool(draft.cue & Cue.EVIDENCE)
    if measured >= 2 and not place.appendix:
        return Subtype.HIGH
    return Subtype.MEDIUM if measured else Subtype.LOW


def _table(draft: Draft, place: Place) -> tuple[NodeType, Subtype, float]:
    results = draft.emphasised or place.kind in (
        SectionClass.EXPERIMENTS,
        SectionClass.CONCLUSION,
        SectionClass.ABSTRACT,
    )
    if (
        draft.cue & Cue.SETUP
        and not draft.cue & (Cue.EVIDENCE | Cue.COMPARE | Cue.STRENGTH)
        and not draft.emphasised
        and place.kind is not SectionClass.EXPERIMENTS
    ):
        return NodeType.IMPLEMENTATION, Subtype.NONE, 0.0
    return NodeType.EVIDENCE, Subtype.HIGH if results and not place.appendix else Subtype.MEDIUM, 0.0


def _figure(draft: Draft, place: Place) -> tuple[NodeType, Subtype, float]:
    if place.kind in (SectionClass.METHOD, SectionClass.INTRODUCTION) and not draft.cue & (Cue.EVIDENCE | Cue.COMPARE):
        return NodeType.METHODOLOGY, Subtype.NONE, 0.0
    return NodeType.EVIDENCE, Subtype.MEDIUM if place.appendix else Subtype.HIGH, 0.0
