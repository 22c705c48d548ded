"""The shape of a bibliography rule: what it yields, what it says about itself, and the examples that test it."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry, BibField, Bibliography
from analyzers.text.spans import Span


@dataclass(frozen=True, slots=True)
class EntryFault:
    """One fault of one entry.  `start..end` are code points into the file `path`; `field` is None for the whole entry.

    `also` holds the places in other entries (or other fields) that the fault compares with.
    """

    code: str
    name: str
    message: str
    field: str | None
    path: str
    start: int
    end: int
    severity: Severity
    fixes: tuple[Fix, ...] = ()
    also: tuple[Related, ...] = ()

    @property
    def span(self) -> Span:
        """Where the fault stands."""
        return Span(self.path, self.start, self.end)

    def finding(self, tier: Tier = Tier.PROVED) -> Finding:
        """The fault as a finding; `tier` is the rule's."""
        evidence: dict[str, EvidenceValue] = {} if self.field is None else {"field": self.field}
        return Finding(
            self.code, self.message, self.span, tier, self.severity, self.name, self.also, evidence, self.fixes
        )

    def moved(self, path: str, by: int) -> "EntryFault":
        """The same fault in file `path`, `by` code points further on."""
        return replace(
            self,
            path=path,
            start=self.start + by,
            end=self.end + by,
            fixes=tuple(fix.moved(path, by) for fix in self.fixes),
            also=tuple(place.moved(path, by) for place in self.also),
        )


@dataclass(frozen=True, slots=True)
class Spot:
    """What a rule's function yields: a fault without the rule's own data.  `severity` None means the rule's."""

    message: str
    field: str | None
    start: int
    end: int
    severity: Severity | None = None
    fixes: tuple[Fix, ...] = ()
    also: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class BibExample:
    """A small bibliography file.  `expect` lists the flagged source slices in order; empty means "must stay silent"."""

    caption: str
    text: str
    expect: tuple[str, ...] = ()


FindSpots = Callable[[BibEntry, Bibliography, date], Iterator[Spot]]
FindSuspects = Callable[[Bibliography], Set[tuple[str, int]]]
EXAMPLE_DAY = date(2026, 6, 15)


@dataclass(frozen=True, slots=True)
class Rule:
    """A bibliography rule with its documentation.

    `alone` rules look at one entry (and the entries it inherits from); the others compare entries of the file.
    `severity` is the highest one the rule gives.  `suspects` is given by rules that compare entries: the (path, start)
    of the entries of a file that may have a fault, so that the others need not be looked at.  Examples are checked as if
    today were EXAMPLE_DAY.  `fields` are given by rules that only look at these fields of the entry itself: most entries
    lack some of them, and the rule is then not asked.
    """

    code: str
    name: str
    alone: bool
    severity: Severity
    summary: str
    flags: str
    matters: str
    silent: str
    examples: tuple[BibExample, ...]
    find: FindSpots
    tier: Tier = Tier.PROVED
    suspects: FindSuspects | None = None
    fields: tuple[str, ...] = ()

    def run(self, entry: BibEntry, bibliography: Bibliography, today: date) -> Sequence[EntryFault]:
        """The faults of `entry`, which stands in `bibliography`.  Pure; never raises on any entry that was read."""
        if self.fields and entry.body.index.keys().isdisjoint(self.fields):
            return ()
        faults: list[EntryFault] = []
        for spot in self.find(entry, bibliography, today):
            severity = self.severity if spot.severity is None else spot.severity
            start, end = spot.start, max(spot.end, spot.start + 1)
            faults.append(
                EntryFault(
                    self.code,
                    self.name,
                    spot.message,
                    spot.field,
                    entry.path,
                    start,
                    end,
                    severity,
                    spot.fixes,
                    spot.also,
                )
            )
        return faults

    @property
    def documentation(self) -> str:
        """The reference text in Markdown, in the form all checks share."""
        return (
            f"{self.code} `{self.name}`: {self.summary}\n\n"
            f"## What it flags\n{self.flags}\n\n"
            f"## Why it matters\n{self.matters}\n\n"
            f"## When it stays silent\n{self.silent}\n"
        )


def holds_any(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands anywhere in `text`: the quick look before a search for a pattern."""
    # A loop, as this is asked of every entry many times and `any` would make a generator each time.
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False


def whole_value(item: BibField) -> tuple[int, int]:
    """The range to underline for a fault of the whole value; the name of the field when the value is empty."""
    if item.value_end > item.value_start:
        return item.value_start, item.value_end
    return item.name_start, item.name_end


def at_value(item: BibField, message: str, severity: Severity | None = None, fixes: tuple[Fix, ...] = ()) -> Spot:
    """A fault of the whole value of `item`."""
    start, end = whole_value(item)
    return Spot(message, item.name, start, end, severity, fixes)


def inner_text(item: BibField) -> str:
    """The source of the value inside its delimiters, to which offsets from `value_start` belong."""
    by = item.value_start - item.raw_start
    return item.raw[by : by + item.value_end - item.value_start]


def at_part(item: BibField, part: str, message: str, severity: Severity | None = None) -> Spot:
    """A fault of the first place where `part` stands in the value as written, else of the whole value."""
    text = inner_text(item)
    at = text.find(part) if part else -1
    if at < 0:
        return at_value(item, message, severity)
    return Spot(message, item.name, item.value_start + at, item.value_start + at + len(part), severity)


def replace_value(entry: BibEntry, item: BibField, title: str, text: str, safe: bool = False) -> tuple[Fix, ...]:
    """A fix that puts `text` in place of the value; none when the value is not one piece in its own delimiters."""
    if not item.literal:
        return ()
    return (Fix(title, (Edit(Span(entry.path, item.value_start, item.value_end), text),), safe),)


def replace_part(
    entry: BibEntry, item: BibField, start: int, end: int, title: str, text: str, safe: bool = False
) -> tuple[Fix, ...]:
    """A fix that replaces the range `start..end` of `inner_text(item)`."""
    if not item.literal:
        return ()
    span = Span(entry.path, item.value_start + start, item.value_start + end)
    return (Fix(title, (Edit(span, text),), safe),)
