"""The port to bibliographic sources: what may be asked, and the three things an answer can be.

An adapter (online client, local index, test double) implements `BibliographicSource`; `verify.py` knows only
this module.
The rule behind the types: a source that did not answer said nothing.  Time-outs, 429, 403 challenges, 5xx and HTML
where JSON was expected are `Unavailable`, never `NotFound`.
"""

from dataclasses import dataclass
from typing import Protocol

from analyzers.citations.record import Entry, Identifier, Record, Scheme


@dataclass(frozen=True, slots=True)
class Found:
    """The source knows the thing.  `records` is empty for an identifier that exists without metadata (a DOI handle)."""

    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """The source answered, and does not have it."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The source did not answer: `reason` in a few words for people ("HTTP 503", "time-out", "cooling down")."""

    reason: str


@dataclass(frozen=True, slots=True)
class NotAsked:
    """The source cannot answer this kind of question (an index without ISBNs, a spent budget); nothing was learnt."""

    reason: str = ""


Outcome = Found | NotFound | Unavailable | NotAsked


@dataclass(frozen=True, slots=True)
class TitleQuery:
    """A search by title; `authors` (as in `Record.authors`) and `year` may help a source to rank, never to filter."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None


class BibliographicSource(Protocol):
    """One bibliographic source.

    Methods must not raise for anything that the other side does; they return `Unavailable`.  They may be cancelled.
    """

    @property
    def name(self) -> str:
        """How the source is called on screen and in reports, such as "Crossref"; unique among the sources of a run."""
        ...

    @property
    def online(self) -> bool:
        """Whether asking leaves the machine."""
        ...

    @property
    def authority_for(self) -> frozenset[Scheme]:
        """Schemes for which `NotFound` proves that the identifier does not exist (doi.org handles: DOI; arXiv: ARXIV).

        Crossref is no authority for DOIs: other agencies register them too.
        """
        ...

    def covers(self, entry: Entry) -> bool:
        """Whether absence of `entry`'s title here is evidence: its kind, field and year lie within what is collected.

        The local index always says False.
        """
        ...

    async def look_up(self, identifier: Identifier) -> Outcome:
        """The record behind `identifier`; `NotAsked` for a scheme that the source does not know."""
        ...

    async def search(self, query: TitleQuery) -> Outcome:
        """Records whose titles may be the wanted one, best first, about ten at most; the caller judges them."""
        ...
