"""Every key of `counterclaim.toml` with its documentation; reading, hints and the page of settings are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from analyzers.finding import Severity

SEVERITIES = tuple(str(severity) for severity in Severity)
OFF = "off"
LANGUAGES = ("auto", "en", "de", "zh")

Default = str | int | bool | tuple[str, ...] | Mapping[str, str]
NO_ENTRIES: Mapping[str, str] = MappingProxyType({})


class Kind(StrEnum):
    """What a key may hold."""

    CHOICE = "one of"
    CODES = "list of codes, families (`NUM`) or `ALL`"
    COUNT = "whole number, 1 or more"
    PATH = "path"
    PATHS = "list of paths"
    PATTERNS = "list of path patterns"
    SEVERITY_TABLE = "table from code or family to severity"
    STRINGS = "list of strings"
    STRING_TABLE = "table from string to string"


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its table (empty at the top), name, what it may hold, the default, and what it does."""

    table: str
    name: str
    kind: Kind
    default: Default
    documentation: str
    example: str
    choices: tuple[str, ...] = ()

    @property
    def dotted(self) -> str:
        """The full name, for example `checks.ignore`."""
        return f"{self.table}.{self.name}" if self.table and self.name else self.table or self.name


# A key without a name is a whole table whose entries the user names.
KEYS: tuple[Key, ...] = (
    Key(
        "", "language", Kind.CHOICE, "auto",
        "The language of the prose.\n`auto` asks the manuscript (babel, polyglossia, and the words themselves).\n"
        "Checks that have no lexicon for a language stay silent.",
        'language = "en"', LANGUAGES,
    ),
    Key(
        "", "fail-on", Kind.CHOICE, "warning",
        "The least severity that makes the command fail with exit status 1; `never` always succeeds.",
        'fail-on = "error"', (*SEVERITIES, "never"),
    ),
    Key(
        "", "show-from", Kind.CHOICE, "hint",
        "The least severity that is reported at all.",
        'show-from = "information"', SEVERITIES,
    ),
    Key(
        "", "cap-per-file", Kind.COUNT, 100,
        "How many findings an editor is sent for one file; a note says how many more there are.\n"
        "The command line has no cap.",
        "cap-per-file = 50",
    ),
    Key(
        "", "baseline", Kind.PATH, "",
        "A file of known findings, relative to this file; only findings that it does not know are reported.\n"
        "`counterclaim check --write-baseline` makes one.",
        'baseline = "counterclaim-baseline.json"',
    ),
    Key(
        "checks", "select", Kind.CODES, (),
        "Only these checks run.\nEmpty means every check that is on by default.",
        'select = ["REF", "CIT", "NUM001"]',
    ),
    Key(
        "checks", "extend-select", Kind.CODES, (),
        "These checks run as well, also when they are off by default.",
        'extend-select = ["ACR002"]',
    ),
    Key(
        "checks", "ignore", Kind.CODES, (),
        "These checks do not run.\n"
        'The more exact name wins: `select = ["NUM001"]` with `ignore = ["NUM"]` keeps NUM001; at a tie `ignore` wins.',
        'ignore = ["REF003", "DUP"]',
    ),
    Key(
        "severity", "", Kind.SEVERITY_TABLE, NO_ENTRIES,
        "The severity of a check or of a family: `error`, `warning`, `information`, `hint` or `off`.\n"
        "A code wins over its family.",
        'ACR001 = "hint"\nREF = "information"', (*SEVERITIES, OFF),
    ),
    Key(
        "paths", "roots", Kind.PATHS, (),
        "The main files, relative to this file.\n"
        "Empty means that they are found: files with `\\documentclass` that no other file includes.",
        'roots = ["paper/main.tex", "supplement.tex"]',
    ),
    Key(
        "paths", "exclude", Kind.PATTERNS, (),
        "Files in which nothing is reported; `*` matches within a folder, `**` over folders.\n"
        "They are still read when the manuscript includes them.",
        'exclude = ["old/**", "*.bbl"]',
    ),
    Key(
        "paths", "search", Kind.PATHS, (),
        "More folders in which includes and bibliographies are looked for, as with TEXINPUTS and BIBINPUTS.\n"
        "They must lie inside the workspace.",
        'search = ["shared/bib"]',
    ),
    Key(
        "dictionary", "acronyms", Kind.STRINGS, (),
        "Acronyms that every reader knows: they need no definition, and several meanings are not reported.",
        'acronyms = ["DNA", "GPU"]',
    ),
    Key(
        "dictionary", "higher-is-better", Kind.STRINGS, (),
        "Metrics of which more is better, as they are named in headers.\nThey win over the built-in list.",
        'higher-is-better = ["Throughput", "kappa"]',
    ),
    Key(
        "dictionary", "lower-is-better", Kind.STRINGS, (),
        "Metrics of which less is better, as they are named in headers.\nThey win over the built-in list.",
        'lower-is-better = ["Latency", "CER"]',
    ),
    Key(
        "dictionary", "template", Kind.STRINGS, (),
        "Text that must not be left over, besides the built-in list (TODO, lorem ipsum, phrases of common templates).",
        'template = ["Insert your title here"]',
    ),
    Key(
        "dictionary", "aliases", Kind.STRING_TABLE, NO_ENTRIES,
        "Other names of the same thing: names on the left mean the name on the right.",
        'aliases = { "our method" = "RiverCal" }',
    ),
)  # fmt: skip

TABLES: tuple[str, ...] = tuple(dict.fromkeys(key.table for key in KEYS if key.table))
BY_NAME: Mapping[str, Key] = MappingProxyType({key.dotted: key for key in KEYS})


def configuration_page() -> str:
    """The page `docs/configuration.md`, in Markdown."""
    parts = [
        "# Configuration",
        "",
        "<!-- Made from analyzers/configuration_keys.py by scripts/configuration-page; edit it there. -->",
        "",
        "Settings stand in `counterclaim.toml`, beside the main file or at the top of the workspace.",
        "The nearer file counts.",
        "Editors may send the same keys as settings under `counterclaim`.",
        "The file wins over the editor, and the command line over both.",
        "An unknown key is reported with the nearest valid one, and the rest of the file still counts.",
        "",
    ]
    for table in ("", *TABLES):
        parts += [f"## `[{table}]`" if table else "## Top level", ""]
        for key in (key for key in KEYS if key.table == table):
            parts += _entry(key)
    return "\n".join(parts)


def _entry(key: Key) -> list[str]:
    kind = (
        f"{key.kind} {', '.join(f'`{choice}`' for choice in key.choices)}" if key.kind is Kind.CHOICE else str(key.kind)
    )
    heading = [f"### `{key.dotted}`", ""] if key.name else []
    example = f"[{key.table}]\n{key.example}" if key.table else key.example
    # Two blanks at a line's end would be Markdown's line break; a list keeps the facts apart.
    facts = [f"- Value: {kind}", f"- Default: `{_toml(key.default)}`"]
    return [*heading, key.documentation, "", *facts, "", "```toml", example, "```", ""]


def _toml(value: Default) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return "{ }"
