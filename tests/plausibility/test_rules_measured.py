"""Measured behaviour on real bibliographies and on the labelled entries of the HALLMARK benchmark (MIT; not shipped)."""

import json
import os
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from analyzers.citations.plausibility import ALL_RULES, check_bibliography, check_entry
from analyzers.finding import Severity
from analyzers.project.bibliography import compose_bibliography, compose_entry, read_bibliography

DAY = date(2026, 11, 29)
ALONE = [rule for rule in ALL_RULES if rule.alone]


@pytest.mark.skipif("COUNTERCLAIM_BENCHMARKS" not in os.environ, reason="COUNTERCLAIM_BENCHMARKS is not set")
def test_hallmark_entries() -> None:
    path = Path(os.environ["COUNTERCLAIM_BENCHMARKS"]) / "benchmark" / "hallmark" / "dev_public.jsonl"
    total: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        entry = compose_entry(row["bibtex_type"], row["bibtex_key"], row["fields"])
        kind = row.get("hallucination_type") or row["label"]
        faults = check_entry(entry, compose_bibliography(entry), DAY, ALONE)
        total[kind] += 1
        flagged[kind] += any(fault.severity.rank <= Severity.WARNING.rank for fault in faults)
    assert total["VALID"] > 500
    assert flagged["VALID"] <= 0.01 * total["VALID"]
    assert flagged["future_date"] == total["future_date"] > 0


@pytest.mark.skipif("COUNTERCLAIM_CORPUS" not in os.environ, reason="COUNTERCLAIM_CORPUS is not set")
def test_real_bibliographies_raise_few_warnings() -> None:
    entries = warnings = 0
    for path in sorted(Path(os.environ["COUNTERCLAIM_CORPUS"]).rglob("*.bib")):
        found = read_bibliography(path.name, path.read_bytes().decode("utf-8", "replace"))
        faults = check_bibliography(found, DAY, ALONE).faults
        entries += len(found.entries)
        warnings += sum(fault.severity is Severity.WARNING for fault in faults)
        for fault in faults:
            assert 0 <= fault.start < fault.end <= len(found.text)
    assert entries > 1000
    # All of them were looked at and are faults; more of them would mean that a rule has become noisy.
    assert warnings <= 0.02 * entries
