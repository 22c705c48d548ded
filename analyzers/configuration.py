"""Settings: a parsed TOML (or JSON) mapping becomes a typed `Configuration` and notes about what could not be used.

Reading never fails: a wrong value is reported and its default is used, an unknown key is reported with the nearest
valid one.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TypeVar

from analyzers.configuration_keys import BY_NAME, KEYS, OFF, TABLES, Key, Kind
from analyzers.finding import Note, Severity
from analyzers.project.words import Words
from analyzers.text.spans import Span

CONFIGURATION_NAME = "counterclaim.toml"
EVERYTHING = "ALL"
_T = TypeVar("_T")
_CODE = re.compile(r"(?P<family>[A-Z]+)\d*\Z")


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one project; field names are the keys of `counterclaim.toml`."""

    language: str | None = None
    """None means: ask the manuscript."""
    fail_on: Severity | None = Severity.WARNING
    """None means: never fail."""
    show_from: Severity = Severity.HINT
    cap_per_file: int = 100
    baseline: str | None = None
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """From code or family to severity; None switches off."""
    roots: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    acronyms: frozenset[str] = frozenset()
    higher_is_better: frozenset[str] = frozenset()
    lower_is_better: frozenset[str] = frozenset()
    template: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    @property
    def words(self) -> Words:
        """The dictionaries, as checks read them."""
        return Words(
            frozenset(self.acronyms),
            frozenset(name.casefold() for name in self.higher_is_better),
            frozenset(name.casefold() for name in self.lower_is_better),
            tuple(self.template),
            tuple(sorted(self.aliases.items())),
        )

    def runs(self, code: str, on_by_default: bool = True) -> bool:
        """Whether the check `code` runs under these settings."""
        if self._override(code) is None and (code in self.severity or family_of(code) in self.severity):
            return False
        chosen = max((_exactness(code, name) for name in (*self.select, *self.extend_select)), default=0)
        ignored = max((_exactness(code, name) for name in self.ignore), default=0)
        if ignored and ignored >= chosen:
            return False
        return bool(chosen) or (on_by_default and not self.select)

    def severity_of(self, code: str, usual: Severity) -> Severity:
        """The severity of a finding with `code` whose check gives it `usual`."""
        return self._override(code) or usual

    def shows(self, severity: Severity) -> bool:
        """Whether findings of this severity are reported."""
        return severity.rank <= self.show_from.rank

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of this severity makes the command fail."""
        return self.fail_on is not None and severity.rank <= self.fail_on.rank

    def excludes(self, path: str) -> bool:
        """Whether nothing is reported in `path` (relative to the workspace, forward slashes)."""
        return any(_matches(pattern, path) for pattern in self.exclude)

    def _override(self, code: str) -> Severity | None:
        return self.severity[code] if code in self.severity else self.severity.get(family_of(code))


def family_of(code: str) -> str:
    """`NUM` for `NUM002`; the text itself when it is no code."""
    match = _CODE.match(code)
    return match["family"] if match else code


def merged(*layers: Mapping[str, object]) -> dict[str, object]:
    """One mapping of settings; later layers win, tables are joined key by key."""
    result: dict[str, object] = {}
    for layer in layers:
        for name, value in layer.items():
            below = result.get(name)
            joined = isinstance(below, Mapping) and isinstance(value, Mapping)
            result[name] = merged(below, value) if joined else value  # type: ignore[arg-type]
    return result


def read_configuration(
    data: Mapping[str, object], known_codes: Collection[str] = (), path: str = CONFIGURATION_NAME, text: str = ""
) -> tuple[Configuration, tuple[Note, ...]]:
    """The settings that `data` holds, and a note for everything in it that could not be used.

    `known_codes` are the codes of all checks; when it is empty, codes are not verified.  `text` is the source of the
    file at `path` (relative to the workspace): notes point to the line of the key, or nowhere when it is not given.
    """
    problems: list[tuple[str, str]] = []
    values: dict[str, object] = {}
    for dotted, value in _entries(data, problems):
        key = BY_NAME[dotted]
        accepted = _value(key, value, known_codes, problems)
        if accepted is not None:
            values[dotted] = accepted
    places = _key_places(text) if problems else {}
    notes = tuple(Note(message, _place(places, dotted, path)) for dotted, message in problems)
    return _configuration(values), notes


def _configuration(values: Mapping[str, object]) -> Configuration:
    def get(dotted: str, kind: type[_T]) -> _T:
        value = values.get(dotted, BY_NAME[dotted].default)
        assert isinstance(value, kind), f"the default of {dotted} has another type than the setting"
        return value

    language = get("language", str)
    fail_on = get("fail-on", str)
    severities: dict[str, str] = get("severity", dict) if "severity" in values else {}
    aliases: dict[str, str] = get("dictionary.aliases", dict) if "dictionary.aliases" in values else {}
    return Configuration(
        language=None if language == "auto" else language,
        fail_on=None if fail_on == "never" else Severity(fail_on),
        show_from=Severity(get("show-from", str)),
        cap_per_file=get("cap-per-file", int),
        baseline=get("baseline", str) or None,
        select=get("checks.select", tuple),
        extend_select=get("checks.extend-select", tuple),
        ignore=get("checks.ignore", tuple),
        severity=MappingProxyType({code: None if name == OFF else Severity(name) for code, name in severities.items()}),
        roots=get("paths.roots", tuple),
        exclude=get("paths.exclude", tuple),
        search=get("paths.search", tuple),
        acronyms=frozenset(get("dictionary.acronyms", tuple)),
        higher_is_better=frozenset(get("dictionary.higher-is-better", tuple)),
        lower_is_better=frozenset(get("dictionary.lower-is-better", tuple)),
        template=get("dictionary.template", tuple),
        aliases=MappingProxyType(aliases),
    )


def _entries(data: Mapping[str, object], problems: list[tuple[str, str]]) -> Iterator[tuple[str, object]]:
    """The entries with a known key, by dotted name; unknown ones become problems."""
    for name, value in data.items():
        if name in BY_NAME:
            yield name, value
        elif name not in TABLES:
            problems.append((name, _unknown(name, "")))
        elif not isinstance(value, Mapping):
            problems.append((name, f"`{name}` is a table: write `[{name}]` with its keys below."))
        else:
            for inner, inner_value in value.items():
                dotted = f"{name}.{inner}"
                if dotted in BY_NAME:
                    yield dotted, inner_value
                else:
                    problems.append((dotted, _unknown(inner, name)))


def _unknown(name: str, table: str) -> str:
    here = {key.name or key.table: key.dotted for key in KEYS if key.table == table or (not table and not key.name)}
    here |= {} if table else {other: other for other in TABLES}
    elsewhere = {key.name: key.dotted for key in KEYS if key.name}
    dotted = f"{table}.{name}" if table else name
    for candidates in (here, elsewhere):
        if near := get_close_matches(name, list(candidates), 1, 0.6):
            return f"Unknown key `{dotted}`. Did you mean `{candidates[near[0]]}`?"
    valid = ", ".join(f"`{valid}`" for valid in sorted(here.values()))
    return f"Unknown key `{dotted}`. Valid here: {valid}."


def _value(key: Key, value: object, known_codes: Collection[str], problems: list[tuple[str, str]]) -> object | None:
    """`value` in the type of the key, or None when it cannot be used; what cannot is reported."""
    match key.kind:
        case Kind.CHOICE:
            if isinstance(value, str) and value in key.choices:
                return value
            problems.append((key.dotted, f"`{key.dotted}` cannot be {_shown(value)}. {_choose(value, key.choices)}"))
        case Kind.COUNT:
            if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
                return value
            problems.append((key.dotted, f"`{key.dotted}` must be a whole number of 1 or more, not {_shown(value)}."))
        case Kind.PATH:
            if isinstance(value, str):
                return value
            problems.append((key.dotted, f"`{key.dotted}` must be a path in quotes, not {_shown(value)}."))
        case Kind.PATHS | Kind.PATTERNS | Kind.STRINGS | Kind.CODES:
            if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
                return _codes(key, value, known_codes, problems) if key.kind is Kind.CODES else tuple(value)
            problems.append((key.dotted, f"`{key.dotted}` must be a list of strings, not {_shown(value)}."))
        case Kind.SEVERITY_TABLE | Kind.STRING_TABLE:
            if isinstance(value, Mapping):
                return _table(key, value, known_codes, problems)
            problems.append((key.dotted, f"`{key.dotted}` must be a table, not {_shown(value)}."))
    return None


def _table(
    key: Key, value: Mapping[object, object], known_codes: Collection[str], problems: list[tuple[str, str]]
) -> dict[str, str]:
    table: dict[str, str] = {}
    for name, item in value.items():
        dotted = f"{key.dotted}.{name}"
        if not isinstance(name, str) or not isinstance(item, str):
            problems.append((dotted, f"`{dotted}` must be a string, not {_shown(item)}."))
        elif key.choices and item not in key.choices:
            problems.append((dotted, f"`{dotted}` cannot be {_shown(item)}. {_choose(item, key.choices)}"))
        elif key.kind is Kind.STRING_TABLE or _is_known(name, known_codes):
            table[name] = item
        else:
            problems.append((dotted, unknown_code(name, known_codes)))
    return table


def _codes(
    key: Key, codes: Collection[str], known_codes: Collection[str], problems: list[tuple[str, str]]
) -> tuple[str, ...]:
    problems += [(key.dotted, unknown_code(code, known_codes)) for code in codes if not _is_known(code, known_codes)]
    return tuple(code for code in codes if _is_known(code, known_codes))


def _is_known(code: str, known_codes: Collection[str]) -> bool:
    return not known_codes or code == EVERYTHING or code in known_codes or code in map(family_of, known_codes)


def unknown_code(code: str, known_codes: Collection[str]) -> str:
    """The message about a code that no check has, with the nearest one."""
    near = get_close_matches(code.upper(), sorted({*known_codes, *map(family_of, known_codes)}), 1, 0.6)
    return f"No check has the code `{code}`." + (
        f" Did you mean `{near[0]}`?" if near else " `counterclaim rules` lists them."
    )


def _choose(value: object, choices: tuple[str, ...]) -> str:
    near = get_close_matches(value.lower(), choices, 1, 0.6) if isinstance(value, str) else []
    return f"Did you mean `{near[0]}`?" if near else "Valid: " + ", ".join(f"`{choice}`" for choice in choices) + "."


def _shown(value: object) -> str:
    text = repr(value)
    return f"`{text[:40]}…`" if len(text) > 40 else f"`{text}`"


def _exactness(code: str, name: str) -> int:
    """How exactly `name` of a list means `code`: 0 not at all, 1 everything, 2 the family, 3 the code."""
    if name == EVERYTHING:
        return 1
    return 3 if name == code else 2 if name == family_of(code) else 0


def _matches(pattern: str, path: str) -> bool:
    """Whether `pattern` means `path`: `*` stays within a folder, `**` is any number of folders; a pattern without a
    slash means files of any folder, one that ends in a slash everything below."""
    parts = pattern.removeprefix("./").split("/")
    if len(parts) == 1:
        parts.insert(0, "**")
    if not parts[-1]:
        parts[-1] = "**"
    # The places in the pattern that the folders read so far can have reached: no input makes this slower than linear.
    reached = _skipping(parts, {0})
    for segment in path.split("/"):
        here = {place for place in reached if place < len(parts) and parts[place] == "**"}
        here |= {place + 1 for place in reached if place < len(parts) and fnmatchcase(segment, parts[place])}
        reached = _skipping(parts, here)
    return len(parts) in reached


def _skipping(parts: list[str], places: set[int]) -> set[int]:
    """`places` and those that follow when `**` means no folder at all."""
    for place in sorted(places):
        following = place
        while following < len(parts) and parts[following] == "**":
            following += 1
            places.add(following)
    return places


_TABLE_LINE = re.compile(r"[ \t]*\[[ \t]*(?P<table>[A-Za-z0-9_.\"' -]+?)[ \t]*\]")
_KEY_LINE = re.compile(r"[ \t]*(?P<key>[A-Za-z0-9_.\"'-]+)[ \t]*=")


def _key_places(text: str) -> dict[str, tuple[int, int]]:
    """Where the keys and tables of a TOML file stand, by dotted name.

    A reader of lines is enough: the file has been parsed already, and this is only for pointing at a key.
    """
    places: dict[str, tuple[int, int]] = {}
    table = ""
    position = 0
    for line in text.splitlines(keepends=True):
        if match := _TABLE_LINE.match(line):
            table = match["table"].replace('"', "").replace("'", "")
            places.setdefault(table, (position + match.start("table"), position + match.end("table")))
        elif match := _KEY_LINE.match(line):
            name = match["key"].replace('"', "").replace("'", "")
            places.setdefault(
                f"{table}.{name}" if table else name, (position + match.start("key"), position + match.end("key"))
            )
        position += len(line)
    return places


def _place(places: Mapping[str, tuple[int, int]], dotted: str, path: str) -> Span | None:
    while dotted:
        if dotted in places:
            return Span(path, *places[dotted])
        dotted = dotted.rpartition(".")[0]
    return None
