"""HALLMARK's rates and intervals on made-up entries."""

import json

import pytest

from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.evaluation.hallmark import Labelled, Rate, read_labelled, score
from analyzers.evaluation.intervals import wilson


def row(label: str, kind: str | None, **fields: object) -> str:
    return json.dumps(
        {"bibtex_key": "k", "bibtex_type": "article", "fields": fields, "label": label, "hallucination_type": kind}
    )


def test_rows_are_read_and_damaged_ones_skipped() -> None:
    lines = [
        row("VALID", None, title="A", year="2020", pages=3),
        "{",
        "[]",
        row("UNCERTAIN", None, title="B"),
        row("HALLUCINATED", "wrong_venue", title="C"),
    ]
    labelled = list(read_labelled(lines))
    assert [(item.kind, item.entry.title, item.valid) for item in labelled] == [
        ("VALID", "A", True),
        ("wrong_venue", "C", False),
    ]
    assert "pages" not in labelled[0].fields


def test_rates_per_type() -> None:
    def judged(kind: str, verdict: VerdictKind, linted: bool = False) -> tuple[Labelled, Verdict, bool]:
        (labelled,) = read_labelled([row("VALID" if kind == "VALID" else "HALLUCINATED", kind, title="A")])
        return labelled, Verdict(verdict), linted

    result = score(
        [
            judged("VALID", VerdictKind.VERIFIED),
            judged("VALID", VerdictKind.UNVERIFIABLE, linted=True),
            judged("wrong_venue", VerdictKind.MISMATCH),
            judged("wrong_venue", VerdictKind.UNVERIFIABLE),
            judged("swapped_authors", VerdictKind.CONFLICT, linted=True),
        ]
    )
    assert result.valid.flagged == Rate(1, 2)
    assert result.valid.verified == Rate(1, 2)
    assert result.valid.lint_only == Rate(1, 2)
    assert {item.kind: item.flagged for item in result.types} == {
        "swapped_authors": Rate(1, 1),
        "wrong_venue": Rate(1, 2),
    }
    assert result.hallucinated.flagged == Rate(2, 3)
    assert result.hallucinated.lint_only == Rate(0, 3)


def test_interval() -> None:
    # E. B. Wilson (1927); values of the formula worked by hand for 8 of 10.
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 0) is None
    assert Rate(0, 0).value is None
    low, high = wilson(0, 20) or (1.0, 0.0)
    assert low == 0.0
    assert 0.1 < high < 0.2
