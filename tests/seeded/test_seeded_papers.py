"""Planted faults in papers of four fields: what is found, and silence on the clean twins.

The floors are what is reached today; they go up with the checks and never down.
"""

import json
import os
from pathlib import Path

import pytest

from benchmarks.seeded import KINDS, Outcome, describe, report_on, score

PAPERS = Path(__file__).parent.parent / "fixtures" / "seeded"
FLOORS = {
    "pictures": 40,
    "finetuning": 36,
    "quantile": 37,
    "repositories": 40,
    "retrieval": 41,
    "review": 39,
    "robots": 40,
    "segmentation": 39,
    "serving": 39,
    "sleep": 34,
    "speech": 40,
    "tabular": 40,
    "terminology": 40,
}
SHARED_FLOOR = 34
SHARED = os.environ.get("COUNTERCLAIM_BENCHMARKS", "")


@pytest.fixture(scope="module", params=sorted(FLOORS))
def outcome(request: pytest.FixtureRequest) -> Outcome:
    result = score(PAPERS / str(request.param))
    print(describe(result))
    return result


def test_found(outcome: Outcome) -> None:
    assert len(outcome.found) >= FLOORS[outcome.name], describe(outcome)


def test_silent_on_the_clean_twin(outcome: Outcome) -> None:
    assert outcome.alarms == ()


def test_nothing_beside_the_faults(outcome: Outcome) -> None:
    assert outcome.unexplained == ()


@pytest.mark.parametrize("name", sorted(FLOORS))
def test_twins_are_complete_projects(name: str) -> None:
    # Only a closed project runs every check; a fault in a twin that is open proves nothing.
    clean, faulty = report_on(PAPERS / name, "clean"), report_on(PAPERS / name, "faulty")
    assert clean.complete
    assert faulty.complete
    assert set(clean.files) == set(faulty.files)


@pytest.mark.parametrize("name", sorted(FLOORS))
def test_manifest(name: str) -> None:
    entries = json.loads((PAPERS / name / "manifest.json").read_text(encoding="utf-8"))
    ids = [entry["id"] for entry in entries]
    assert len(set(ids)) == len(ids) >= 30
    for entry in entries:
        assert entry["id"] in KINDS
        first, last = entry["lines"]
        lines = (PAPERS / name / "faulty" / entry["file"]).read_text(encoding="utf-8").split("\n")
        assert 1 <= first <= last <= len(lines), entry


@pytest.mark.benchmarks
@pytest.mark.skipif(not SHARED, reason="COUNTERCLAIM_BENCHMARKS is not set")
def test_shared_pair() -> None:
    result = score(Path(SHARED) / "fixtures" / "seeded")
    print(describe(result))
    assert len(result.found) >= SHARED_FLOOR, describe(result)
    assert result.alarms == ()
