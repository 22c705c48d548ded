"""Bibliography entries as data: fields with exact places, entries, and the bibliography file they stand in.

An entry is a *body* (everything read from its own text, offsets counted from its `@`) placed at an offset of a file.
So an edit elsewhere in the file moves an entry without touching its fields, and what a rule found in a body can be
kept.  All offsets are code points.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar, cast

from analyzers.citations.plaintext import plain_text
from analyzers.finding import Note
from analyzers.text.spans import Span

Derived = TypeVar("Derived")


class MacroUse(NamedTuple):
    """A bare word in a value (`month = may`): an `@string` name, lower-cased, and where it stands."""

    name: str
    start: int
    end: int
    defined: bool


class BibField(NamedTuple):
    """One `name = value`.

    `raw_start..raw_end` is the whole value expression with its delimiters; `value_start..value_end` lies inside the
    delimiters when the value is a single braced or quoted piece, and equals the raw range otherwise.  `raw` is the text
    of the raw range.  `value` is the text after `@string` expansion and `#` concatenation, runs of white space folded
    to one blank, TeX kept.
    """

    name: str
    name_start: int
    name_end: int
    raw_start: int
    raw_end: int
    value_start: int
    value_end: int
    raw: str
    value: str
    macros: tuple[MacroUse, ...] = ()

    @property
    def literal(self) -> bool:
        """True when the value is a single braced or quoted piece, so that text inside it can be edited in place."""
        return self.value_start != self.raw_start

    def moved(self, by: int) -> "BibField":
        """The same field `by` code points further on."""
        if not by:
            return self
        return BibField(
            self.name,
            self.name_start + by,
            self.name_end + by,
            self.raw_start + by,
            self.raw_end + by,
            self.value_start + by,
            self.value_end + by,
            self.raw,
            self.value,
            tuple(use._replace(start=use.start + by, end=use.end + by) for use in self.macros) if self.macros else (),
        )


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Something in the text of one entry that BibTeX or biber would stumble over; offsets as those of the entry."""

    kind: str
    message: str
    start: int
    end: int

    def moved(self, by: int) -> "SyntaxProblem":
        """The same problem `by` code points further on."""
        return SyntaxProblem(self.kind, self.message, self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class EntryBody:
    """An entry without its place: offsets count from its `@`, `source` is its text.

    `fields` holds the first of each name in the order of the text; later ones of the same name are in `repeated`
    (BibTeX ignores them).
    """

    kind: str
    key: str
    key_start: int
    key_end: int
    source: str
    fields: tuple[BibField, ...]
    repeated: tuple[BibField, ...] = ()
    problems: tuple[SyntaxProblem, ...] = ()
    commented: bool = False
    index: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    _derived: dict[str, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    def derived(self, name: str, build: "Callable[[EntryBody], Derived]") -> "Derived":
        """What `build` makes of this body, built once for each `name`; it must depend on nothing else."""
        if name not in self._derived:
            self._derived[name] = build(self)
        return cast("Derived", self._derived[name])

    @property
    def folded_key(self) -> str:
        """The key as BibTeX compares it: without upper and lower case."""
        return self.key.casefold()

    def value(self, name: str) -> str:
        """The value of that field with TeX kept, or the empty string."""
        position = self.index.get(name)
        return "" if position is None else self.fields[position].value


class BibEntry(NamedTuple):
    """An entry at its place: `path` is relative to the workspace, `start` the offset of its `@` in the file."""

    path: str
    start: int
    body: EntryBody

    @property
    def kind(self) -> str:
        """The entry type, lower-cased: `article`."""
        return self.body.kind

    @property
    def key(self) -> str:
        """The citation key as written; empty when the entry has none."""
        return self.body.key

    @property
    def key_start(self) -> int:
        """Offset of the key in the file."""
        return self.start + self.body.key_start

    @property
    def key_end(self) -> int:
        """Offset behind the key in the file."""
        return self.start + self.body.key_end

    @property
    def end(self) -> int:
        """Offset behind the entry in the file."""
        return self.start + len(self.body.source)

    @property
    def source(self) -> str:
        """The text of the entry from `@` to its closing delimiter."""
        return self.body.source

    @property
    def commented(self) -> bool:
        """True when a `%` stands before the `@`: BibTeX reads the entry all the same, biber does not."""
        return self.body.commented

    @property
    def fields(self) -> Mapping[str, BibField]:
        """The fields by lower-case name, at their places in the file, in the order of the text."""
        return {item.name: item.moved(self.start) for item in self.body.fields}

    @property
    def repeated(self) -> tuple[BibField, ...]:
        """Fields whose name the entry had already given."""
        return tuple(item.moved(self.start) for item in self.body.repeated) if self.body.repeated else ()

    @property
    def problems(self) -> tuple[SyntaxProblem, ...]:
        """What is wrong with the syntax of this entry."""
        return tuple(item.moved(self.start) for item in self.body.problems) if self.body.problems else ()

    def field(self, name: str) -> BibField | None:
        """The field of that lower-case name at its place in the file, or None."""
        position = self.body.index.get(name)
        return None if position is None else self.body.fields[position].moved(self.start)

    def value(self, name: str) -> str:
        """The value of that field with TeX kept, or the empty string."""
        return self.body.value(name)

    def plain(self, name: str) -> str:
        """The value as plain text: accents composed, braces and commands gone; empty when not given."""
        value = self.value(name)
        return plain_text(value) if value else ""

    def at(self, path: str, start: int) -> "BibEntry":
        """The same body at another place; `at("", 0)` is the form to key a cache with."""
        return BibEntry(path, start, self.body)

    @property
    def key_span(self) -> Span:
        """Where the key stands; the `@type` when there is no key."""
        if self.body.key_start == self.body.key_end:
            return Span(self.path, self.start, self.start + 1 + len(self.kind))
        return Span(self.path, self.key_start, self.key_end)


@dataclass(frozen=True)
class Bibliography:
    """One bibliography file (or several joined): entries in the order of the text.

    `strings` maps lower-case `@string` names to their values, including those given by files read before this one.
    `commented` holds entries behind a `%` or inside `@comment{...}`: BibTeX reads them all the same, biber does not.
    `open_macros` are names that values use and no `@string` read so far defines.  `parsed` is the memory from which
    `update` takes unchanged pieces.
    """

    path: str
    text: str
    entries: tuple[BibEntry, ...]
    strings: Mapping[str, str]
    commented: tuple[BibEntry, ...] = ()
    problems: tuple[Note, ...] = ()
    outer_strings: Mapping[str, str] = field(default_factory=dict)
    open_macros: frozenset[str] = frozenset()
    parsed: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    _derived: dict[str, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def by_key(self) -> Mapping[str, BibEntry]:
        """Exact key to its first entry (the one BibTeX uses); the empty key is left out."""
        return _first_of_each((entry.key, entry) for entry in self.entries)

    @cached_property
    def by_folded_key(self) -> Mapping[str, tuple[BibEntry, ...]]:
        """Case-folded key to all its entries, in the order of the text."""
        groups: dict[str, list[BibEntry]] = {}
        for entry in self.entries:
            if entry.key:
                groups.setdefault(entry.body.folded_key, []).append(entry)
        return {key: tuple(group) for key, group in groups.items()}

    @cached_property
    def commented_by_key(self) -> Mapping[str, BibEntry]:
        """Exact key to the first entry behind a `%`."""
        return _first_of_each((entry.key, entry) for entry in self.commented)

    def entry(self, key: str) -> BibEntry | None:
        """The entry with exactly this key, or None."""
        return self.by_key.get(key)

    def entry_folded(self, key: str) -> BibEntry | None:
        """The entry with exactly this key, else the first one whose key differs only in case, else None."""
        exact = self.by_key.get(key)
        if exact is not None:
            return exact
        group = self.by_folded_key.get(key.casefold())
        return group[0] if group else None

    def derived(self, name: str, build: "Callable[[Bibliography], Derived]") -> "Derived":
        """What `build` makes of this bibliography, built once for each `name`: a home for look-ups of other modules."""
        if name not in self._derived:
            self._derived[name] = build(self)
        return cast("Derived", self._derived[name])

    @cached_property
    def duplicates(self) -> tuple[tuple[BibEntry, ...], ...]:
        """Groups of entries with exactly the same key, each in the order of the text."""
        groups: list[tuple[BibEntry, ...]] = []
        for same in self.by_folded_key.values():
            if len(same) < 2:
                continue
            exact: dict[str, list[BibEntry]] = {}
            for entry in same:
                exact.setdefault(entry.key, []).append(entry)
            groups += (tuple(group) for group in exact.values() if len(group) > 1)
        return tuple(groups)

    @cached_property
    def case_variants(self) -> tuple[tuple[BibEntry, ...], ...]:
        """Groups of first entries whose keys differ only in case."""
        groups: list[tuple[BibEntry, ...]] = []
        for same in self.by_folded_key.values():
            firsts = {entry.key: entry for entry in reversed(same)}
            if len(firsts) > 1:
                groups.append(tuple(sorted(firsts.values(), key=lambda entry: (entry.path, entry.start))))
        return tuple(groups)


def _first_of_each(pairs: Iterator[tuple[str, BibEntry]]) -> Mapping[str, BibEntry]:
    found: dict[str, BibEntry] = {}
    for key, entry in pairs:
        if key:
            found.setdefault(key, entry)
    return found
