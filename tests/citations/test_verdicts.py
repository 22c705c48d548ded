"""Verdicts from what sources answer, or fail to answer."""

from dataclasses import dataclass, field, replace
from datetime import date

import pytest

from analyzers.citations.record import Entry, Identifier, Record, Scheme, entry_from_fields
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery, Unavailable
from analyzers.citations.verdict import Verdict, VerdictKind
from analyzers.citations.verify import verify_all, verify_entry
from analyzers.citations.wording import describe, summary_line

TODAY = date(2026, 6, 15)
PAPER = Record(
    "River Networks Carry Memory of Ancient Climates",
    ("Ann Alder", "Ben Birch", "Cleo Cedar"),
    2019,
    "Journal of River Ecology",
    pages="10-24",
    doi="10.1000/river.1",
    source="Alpha",
)
OTHER = Record("Sleep in Bees", ("Emil Elm", "Fay Fir"), 2001, "Bee World", doi="10.1000/bee.7", source="Alpha")
VALID = {
    "title": PAPER.title,
    "author": "Alder, Ann and Birch, Ben and Cedar, Cleo",
    "year": "2019",
    "journal": "Journal of River Ecology",
    "pages": "10--24",
    "doi": "10.1000/RIVER.1",
}


@dataclass
class Source:
    """A source with fixed records, or one fixed outcome."""

    name: str = "Alpha"
    records: tuple[Record, ...] = ()
    outcome: Outcome | None = None
    online: bool = True
    authority_for: frozenset[Scheme] = frozenset()
    competent: bool = True
    asked: list[object] = field(default_factory=list)

    def covers(self, entry: Entry) -> bool:
        return self.competent

    async def look_up(self, identifier: Identifier) -> Outcome:
        self.asked.append(identifier)
        if self.outcome is not None:
            return self.outcome
        found = tuple(r for r in self.records if identifier.value in (r.doi, r.arxiv_id))
        return Found(found) if found else NotFound()

    async def search(self, query: TitleQuery) -> Outcome:
        self.asked.append(query)
        if self.outcome is not None:
            return self.outcome
        return Found(self.records) if self.records else NotFound()


async def verdict(fields: dict[str, str], *sources: Source, kind: str = "article") -> Verdict:
    return await verify_entry(entry_from_fields(kind, "k", fields), sources, TODAY)


def having(**changes: str) -> dict[str, str]:
    return {name: value for name, value in {**VALID, **changes}.items() if value}


async def test_agreeing_record_verifies() -> None:
    found = await verdict(VALID, Source(records=(PAPER,)))
    assert (found.kind, found.fields, found.record, found.complete) == (VerdictKind.VERIFIED, (), PAPER, True)
    assert (found.asked, found.answered) == (("Alpha",), ("Alpha",))


MISMATCHES = [
    ({"title": "River Networks Carry Traces of Ancient Climates"}, "title", "TITLE"),
    ({"author": "Alder, Ann and Birch, Ben"}, "author", "AUTHORS_MISSING"),
    ({"author": "Alder, Ann and Birch, Ben and Zelkova, Zoe"}, "author", "AUTHORS"),
    ({"year": "2012"}, "year", "YEAR"),
    ({"journal": "Annals of Glacier Dynamics"}, "journal", "VENUE"),
    ({"pages": "100--180"}, "pages", "PAGES"),
]


@pytest.mark.parametrize(("changes", "name", "code"), MISMATCHES)
@pytest.mark.parametrize("doi", ["10.1000/river.1", ""])
async def test_differing_field_is_named_with_both_values(
    changes: dict[str, str], name: str, code: str, doi: str
) -> None:
    found = await verdict(having(**changes, doi=doi), Source(records=(PAPER,)))
    assert found.kind is VerdictKind.MISMATCH
    assert [(d.name, d.code) for d in found.fields] == [(name, code)]
    assert found.fields[0].given
    assert found.fields[0].found
    assert found.fields[0].given in describe(entry_from_fields("article", "k", VALID), found)


TOLERATED = [
    {"author": "Alder, A. and others"},
    {"author": "Birch, Ben and Alder, Ann and Cedar, Cleo"},
    {"year": "2020"},
    {"journal": "J. River Ecol."},
    {"pages": "11--25"},
    {"pages": "e10"},
    {"doi": "10.5281/zenodo.77"},
    {"journal": "arXiv preprint arXiv:1801.00001", "year": "2017", "pages": "", "doi": ""},
    {"title": "River networks carry memory of ancient climates: A review of the evidence"},
]


@pytest.mark.parametrize("changes", TOLERATED)
async def test_harmless_difference_is_no_mismatch(changes: dict[str, str]) -> None:
    assert (await verdict(having(**changes), Source(records=(PAPER,)))).kind is VerdictKind.VERIFIED


async def test_identifier_of_another_work_is_a_conflict() -> None:
    found = await verdict(having(doi="10.1000/bee.7"), Source(records=(OTHER, PAPER)))
    assert (found.kind, found.record) == (VerdictKind.CONFLICT, OTHER)
    assert found.fields[0].name == "doi"
    assert "Sleep in Bees" in describe(entry_from_fields("article", "k", VALID), found)


async def test_a_sound_identifier_does_not_excuse_a_wrong_one() -> None:
    preprint = replace(PAPER, doi="", arxiv_id="1801.00001", venue="arXiv")
    found = await verdict(having(doi="10.1000/bee.7", eprint="1801.00001"), Source(records=(OTHER, preprint)))
    assert found.kind is VerdictKind.CONFLICT


async def test_one_polluted_record_is_no_conflict() -> None:
    polluted = replace(OTHER, doi=PAPER.doi)
    found = await verdict(VALID, Source("Beta", (polluted,)), Source("Alpha", (PAPER,)))
    assert found.kind is VerdictKind.VERIFIED


async def test_doi_of_the_volume_is_said_to_be_that() -> None:
    volume = Record("Proceedings of the Conference on Rivers", ("Ed Itor",), 2019, doi="10.1000/volume", source="Alpha")
    fields = having(journal="", booktitle="Proceedings of the Conference on Rivers", doi="10.1000/volume")
    found = await verdict(fields, Source(records=(volume,)), kind="inproceedings")
    assert (found.kind, found.fields[0].code) == (VerdictKind.MISMATCH, "IDENTIFIER_OF_VOLUME")


async def test_isbn_of_the_volume_is_no_conflict() -> None:
    volume = replace(OTHER, doi="9780262035613")
    found = await verdict(having(doi="", isbn="9780262035613"), Source(records=(volume,)), kind="incollection")
    assert found.kind is VerdictKind.UNVERIFIABLE


async def test_wholly_other_authors_need_two_sources_to_be_called_fabricated() -> None:
    fields = having(author="Hartwell, Marcus and Okonkwo, Priya", doi="")
    one = await verdict(fields, Source(records=(PAPER,)))
    assert (one.kind, one.reasons) == (VerdictKind.MISMATCH, ("AUTHORS_DISJOINT",))
    two = await verdict(fields, Source(records=(PAPER,)), Source("Beta", (replace(PAPER, source="Beta"),)))
    assert (two.kind, two.reasons) == (VerdictKind.LIKELY_FABRICATED, ("AUTHORS_DISJOINT",))


async def test_two_competent_sources_without_the_title_are_evidence() -> None:
    found = await verdict(having(doi=""), Source("Alpha", (OTHER,)), Source("Beta"))
    assert (found.kind, found.reasons) == (VerdictKind.LIKELY_FABRICATED, ("NO_RECORD",))
    said = describe(entry_from_fields("article", "k", VALID), found)
    assert "No record found in Alpha, Beta" in said
    assert "fake" not in said.lower()


async def test_an_unregistered_identifier_and_an_unknown_title_are_evidence() -> None:
    registry = Source("Registry", authority_for=frozenset({Scheme.DOI}), competent=False)
    assert (await verdict(VALID, registry, Source("Alpha"))).kind is VerdictKind.LIKELY_FABRICATED
    assert (await verdict(VALID, registry)).kind is VerdictKind.UNVERIFIABLE


NOT_EVIDENCE = [
    ("one source only", {}, [Source("Alpha")], "article", "NOT_COVERED"),
    ("a source is down", {}, [Source("Alpha"), Source("Beta"), Source("C", outcome=Unavailable("503"))], "article",
     "SOURCE_DOWN"),
    ("not competent", {}, [Source("Alpha", competent=False), Source("Beta")], "article", "NOT_COVERED"),
    ("offline", {}, [Source("Alpha", online=False), Source("Beta", online=False)], "article", "OFFLINE"),
    ("grey literature", {}, [Source("Alpha"), Source("Beta")], "techreport", "GREY_LITERATURE"),
    ("too new", {"year": "2026"}, [Source("Alpha"), Source("Beta")], "article", "TOO_NEW"),
    ("old", {"year": "1887"}, [Source("Alpha"), Source("Beta")], "article", "OLD"),
    ("short title", {"title": "River Networks"}, [Source("Alpha"), Source("Beta")], "article", "SHORT_TITLE"),
    ("script", {"title": "基于深度学习的文本分类研究综述"}, [Source("Alpha"), Source("Beta")], "article",
     "NON_LATIN_NOT_COVERED"),
    ("translated", {"note": "Translated from Russian"}, [Source("Alpha"), Source("Beta")], "article", "TRANSLATED"),
    ("anonymous", {"author": ""}, [Source("Alpha"), Source("Beta")], "article", "ANONYMOUS"),
    ("no title", {"title": ""}, [Source("Alpha"), Source("Beta")], "article", "NO_METADATA"),
    ("budget", {}, [Source("Alpha"), Source("Beta"), Source("C", outcome=NotAsked("budget"))], "article", "BUDGET"),
    ("sister paper", {}, [Source("Alpha", (replace(PAPER, title=PAPER.title + " of Asia", year=2011),)), Source("Beta")],
     "article", "AMBIGUOUS"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "sources", "kind", "reason"), [pytest.param(*case[1:], id=case[0]) for case in NOT_EVIDENCE]
)
async def test_absence_proves_nothing(changes: dict[str, str], sources: list[Source], kind: str, reason: str) -> None:
    found = await verdict(having(**{"doi": "", **changes}), *sources, kind=kind)
    assert found.kind is VerdictKind.UNVERIFIABLE
    assert reason in found.reasons
    assert describe(entry_from_fields(kind, "k", VALID), found).startswith("Could not be verified")


@pytest.mark.parametrize("reason", ["time-out", "HTTP 429", "HTTP 503", "HTTP 403", "a web page instead of data"])
async def test_nobody_answers_and_nobody_is_accused(reason: str) -> None:
    sources = [Source(name, outcome=Unavailable(reason)) for name in ("Alpha", "Beta", "Gamma")]
    found = await verdict(VALID, *sources)
    assert (found.kind, found.complete, found.answered) == (VerdictKind.UNVERIFIABLE, False, ())
    assert found.unavailable == tuple((name, reason) for name in ("Alpha", "Beta", "Gamma"))
    assert summary_line([found]) == "1 unverifiable (Alpha, Beta, Gamma down)"


async def test_a_failing_adapter_is_a_source_that_did_not_answer() -> None:
    class Broken(Source):
        async def search(self, query: TitleQuery) -> Outcome:
            raise RuntimeError("boom")

    found = await verdict(having(doi=""), Broken("Broken"), Source("Alpha", (PAPER,)))
    assert (found.kind, found.unavailable) == (VerdictKind.VERIFIED, (("Broken", "failed (RuntimeError)"),))


async def test_what_a_local_source_confirms_is_not_searched_online() -> None:
    local, online = (
        Source("local index", (PAPER,), online=False),
        Source("Alpha", (replace(PAPER, flags=("retracted",)),)),
    )
    found = await verdict(having(doi=""), local, online)
    assert (found.kind, found.flags) == (VerdictKind.VERIFIED, ("retracted",))
    assert online.asked == [Identifier(Scheme.DOI, PAPER.doi)]


async def test_offline_asks_nobody_else() -> None:
    local = Source("local index", online=False)
    found = await verdict(VALID, local)
    assert found.asked == ("local index",)
    assert found.reasons[0] == "OFFLINE"


async def test_verdict_does_not_depend_on_other_entries() -> None:
    entries = [entry_from_fields("article", "a", VALID), entry_from_fields("article", "b", having(year="2012"))]
    source = Source(records=(PAPER, OTHER))
    alone = [await verify_entry(entry, [source], TODAY) for entry in entries]
    seen: list[int] = []
    together = await verify_all(entries, [source], TODAY, lambda position, _: seen.append(position))
    assert together == alone
    assert sorted(seen) == [0, 1]


async def test_nothing_to_verify() -> None:
    assert await verify_all([], [Source()], TODAY) == []
    assert summary_line([]) == "no entries"


async def test_unknown_doi_registrant_on_an_otherwise_agreeing_record() -> None:
    known = replace(PAPER, doi="", registrants=("10.1000",))
    found = await verdict(having(doi="10.99999/qx.17"), Source(records=(known,)))
    assert [d.code for d in found.fields] == ["DOI_REGISTRANT"]
    silent = await verdict(having(doi="10.99999/qx.17"), Source(records=(replace(known, registrants=None),)))
    assert silent.kind is VerdictKind.VERIFIED


async def test_thousands_of_authors_and_a_long_abstract() -> None:
    crowd = " and ".join(f"Family{number}, Given" for number in range(3000))
    record = replace(PAPER, authors=tuple(f"Given Family{number}" for number in range(3000)))
    found = await verdict(having(author=crowd, abstract="x" * 200_000), Source(records=(record,)))
    assert found.kind is VerdictKind.VERIFIED
