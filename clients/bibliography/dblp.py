"""DBLP: computer science by title, DOI and arXiv id (public SPARQL service; the search API sits behind a bot wall).

A title is sought in two ways: by its beginning, as a range over the sorted titles (which ignores case there), and by
its words.  The first rests on the service's sort order, so before an empty answer is believed, a title that is surely
there is sought in the same way.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from analyzers.citations.record import Entry, Identifier, Record, Scheme, normal_arxiv_id
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome, TitleQuery
from clients.bibliography import coverage, shapes
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy
from clients.bibliography.reply import Reason, UnavailableError

BASE_URL = "https://sparql.dblp.org"
_RESULTS = "application/sparql-results+json"
_PREFIXES = (
    "PREFIX dblp: <https://dblp.org/rdf/schema#>\nPREFIX ql: <http://qlever.cs.uni-freiburg.de/builtin-functions/>\n"
)
_BEGINNING = 40
_SAME_BEGINNING = 20
_TITLES = 200
_RECORDS = 10
_RECORD = "https://dblp.org/rec/"
_SURELY_THERE = "attention is all you need"


class Dblp(Adapter):
    name = "DBLP"
    schemes = frozenset({Scheme.DOI, Scheme.ARXIV})

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        policy = Policy(rate=1, timeout=30, cool_down=300, cool_down_max=3600)
        self.endpoint = Endpoint(self.name, base_url, transport, policy=policy, clock=clock)
        self._range_works = False

    def covers(self, entry: Entry) -> bool:
        return coverage.is_computing(entry)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        doi = identifier.value
        if identifier.scheme is Scheme.ARXIV:
            doi = f"10.48550/arxiv.{identifier.value}"
        # DOIs are stored as addresses in capitals.
        iri = _iri(f"https://doi.org/{doi.upper()}")
        if iri is None:
            return NotAsked("the DOI holds a character that addresses cannot hold")
        records = await self._records(f"?pub dblp:doi {iri} .")
        return Found(records) if records else NotFound()

    async def _search(self, query: TitleQuery) -> Outcome:
        title = " ".join(query.title.lower().split())
        if len(title) < 3:
            return NotAsked("the title is too short to be sought")
        wanted = shapes.words(title)
        records = await self._beginning_with(title)
        if not any(shapes.words(record.title) == wanted for record in records):
            records += await self._with_words(title, {record.identifier for record in records})
        if not records:
            await self._prove_that_search_works()
            return NotFound()
        return Found(shapes.by_closeness(query.title, records, _RECORDS))

    async def _prove_that_search_works(self) -> None:
        if not self._range_works and not await self._beginning_with(_SURELY_THERE):
            raise UnavailableError(self.name, Reason.MALFORMED)
        self._range_works = True

    async def _beginning_with(self, title: str) -> tuple[Record, ...]:
        start = title[:_BEGINNING].rstrip(" .")
        end = start[:-1] + chr(min(ord(start[-1]) + 1, 0x10FFFF))
        pattern = f"?pub dblp:title ?title . FILTER(?title >= {_literal(start)} && ?title < {_literal(end)})"
        return await self._records(f"{{ SELECT ?pub ?title WHERE {{ {pattern} }} LIMIT {_SAME_BEGINNING} }}")

    async def _with_words(self, title: str, known: set[str]) -> tuple[Record, ...]:
        """The works whose titles hold all words of one group, closest first; the service does not rank."""
        # One common word alone would match more titles than may be fetched.
        groups = [group for group in shapes.word_groups(title) if len(group) > 1]
        if not groups:
            return ()
        patterns = (
            " ".join(f"?text ql:contains-word {_literal(word)} ." for word in group)
            + " ?text ql:contains-entity ?title . ?pub dblp:title ?title ."
            for group in groups
        )
        either = " UNION ".join(f"{{ {pattern} }}" for pattern in patterns)
        rows = await self._rows(f"SELECT DISTINCT ?pub ?title WHERE {{ {either} }} LIMIT {_TITLES}")
        titles = {_value(row, "pub"): _value(row, "title") for row in rows}
        best = sorted(titles, key=lambda pub: shapes.likeness(title, titles[pub]), reverse=True)
        chosen = [iri for pub in best if pub.removeprefix(_RECORD) not in known and (iri := _iri(pub))][:_RECORDS]
        return await self._records(f"VALUES ?pub {{ {' '.join(chosen)} }}") if chosen else ()

    async def _records(self, pattern: str) -> tuple[Record, ...]:
        rows = await self._rows(
            "SELECT ?pub ?title ?type ?venue ?volume ?year ?doi ?page ?pages ?ord ?name WHERE { "
            f"{pattern} ?pub dblp:title ?title . "
            "OPTIONAL { ?pub dblp:bibtexType ?type } OPTIONAL { ?pub dblp:publishedIn ?venue } "
            "OPTIONAL { ?pub dblp:publishedInJournalVolume ?volume } OPTIONAL { ?pub dblp:yearOfPublication ?year } "
            "OPTIONAL { ?pub dblp:doi ?doi } OPTIONAL { ?pub dblp:primaryDocumentPage ?page } "
            "OPTIONAL { ?pub dblp:pagination ?pages } "
            "OPTIONAL { ?pub dblp:hasSignature ?s . ?s dblp:signatureOrdinal ?ord ; dblp:signatureDblpName ?name } "
            "} ORDER BY ?pub ?ord"
        )
        works: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            works.setdefault(_value(row, "pub"), []).append(row)
        return tuple(_record(pub, work) for pub, work in works.items() if pub)

    async def _rows(self, query: str) -> list[dict[str, Any]]:
        # A POST keeps titles out of the logs of everything between here and there.
        reply = await self.endpoint.post_form("/sparql", {"query": _PREFIXES + query}, _RESULTS)
        rows = reply.json()["results"]["bindings"]
        if not isinstance(rows, list):
            raise self.endpoint.malformed()
        return list(shapes.mappings(rows))


def _value(row: Mapping[str, Any], variable: str) -> str:
    return str(shapes.mapping(row.get(variable)).get("value") or "")


def _literal(value: str) -> str:
    """A SPARQL string; a title must not be able to end it."""
    clean = "".join(character if character.isprintable() else " " for character in value)
    escaped = clean.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _iri(value: str) -> str | None:
    """An address in SPARQL's form; None when it holds what the form forbids (as SICI DOIs do)."""
    if any(character in '<>"{}|^`\\' or ord(character) <= 0x20 for character in value):
        return None
    return f"<{value}>"


def _record(pub: str, rows: Iterable[Mapping[str, Any]]) -> Record:
    rows = list(rows)
    first = rows[0]
    people: dict[int, str] = {}
    for row in rows:
        ordinal = _value(row, "ord")
        if ordinal.isdigit():
            people.setdefault(int(ordinal), shapes.display_name(_value(row, "name")))
    venue = shapes.text(_value(first, "venue"))
    doi, arxiv_id = shapes.doi_and_arxiv(_value(first, "doi"))
    return Record(
        title=shapes.text(_value(first, "title")).removesuffix("."),
        authors=shapes.names(people[ordinal] for ordinal in sorted(people)),
        year=shapes.year(_value(first, "year")),
        venue=venue,
        pages=shapes.text(_value(first, "pages")),
        doi=doi,
        url=_value(first, "page") or pub,
        arxiv_id=arxiv_id or normal_arxiv_id(_value(first, "volume").removeprefix("abs/")),
        kind="preprint" if venue == "CoRR" else _value(first, "type").rpartition("#")[2].lower(),
        source=Dblp.name,
        identifier=pub.removeprefix(_RECORD),
    )
