"""ACL Anthology: papers by Anthology id or by the DOI that contains it (one BibTeX file per paper).

The site is static and its "404" is a web page like any other, so before an absence is believed, a paper that is surely
there is asked for.
"""

import re

from analyzers.citations.record import Identifier, Record, Scheme, entry_from_fields
from analyzers.citations.source import Found, NotAsked, NotFound, Outcome
from analyzers.project.bibliography import read_bibliography
from clients.bibliography.adapter import Adapter
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy
from clients.bibliography.reply import Reason, UnavailableError

BASE_URL = "https://aclanthology.org"
_ID = re.compile(r"[A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d{1,5}")
_DOI = re.compile(r"10\.(?:18653/v1|3115/v1)/(.+)", re.IGNORECASE)
_SURELY_THERE = "N19-1423"


class AclAnthology(Adapter):
    name = "ACL Anthology"
    schemes = frozenset({Scheme.ACL, Scheme.DOI})
    authority_for = frozenset({Scheme.ACL})

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        self.endpoint = Endpoint(self.name, base_url, transport, policy=Policy(rate=1), clock=clock)
        self._answers = False

    async def _look_up(self, identifier: Identifier) -> Outcome:
        paper = _paper_id(identifier)
        if paper is None:
            return NotAsked("not an Anthology id")
        record = await self._paper(paper)
        if record is not None:
            self._answers = True
            return Found((record,))
        if not self._answers:
            if await self._paper(_SURELY_THERE) is None:
                raise UnavailableError(self.name, Reason.CHALLENGE)
            self._answers = True
        return NotFound()

    async def _paper(self, paper: str) -> Record | None:
        """The paper's record, None for a 404."""
        reply = await self.endpoint.get(f"/{paper}.bib", expect="text", answers=frozenset({404}))
        if reply.status == 404:
            return None
        text = reply.text()
        if not text.lstrip("\ufeff \t\r\n").startswith("@"):
            raise UnavailableError(self.name, Reason.CHALLENGE)
        record = _record(text, paper)
        if record is None:
            raise self.endpoint.malformed()
        return record


def _paper_id(identifier: Identifier) -> str | None:
    value = identifier.value
    if identifier.scheme is Scheme.DOI:
        found = _DOI.fullmatch(value)
        if found is None:
            return None
        value = found[1]
    # Ids of the old form are in capitals, those of the new one are not; DOIs arrive in lower case.
    value = value.upper() if re.fullmatch(r"[A-Za-z]\d{2}-\d{4}", value) else value.lower()
    return value if _ID.fullmatch(value) else None


def _record(text: str, paper: str) -> Record | None:
    found = read_bibliography("", text).entries
    if not found:
        return None
    entry = entry_from_fields(found[0].kind, found[0].key, {name: item.value for name, item in found[0].fields.items()})
    if not entry.title:
        return None
    return Record(
        title=entry.title,
        authors=entry.authors,
        year=entry.year,
        venue=entry.venue,
        pages=entry.pages,
        doi=entry.doi,
        url=entry.url or f"{BASE_URL}/{paper}/",
        kind=entry.kind,
        source=AclAnthology.name,
        identifier=paper,
    )
