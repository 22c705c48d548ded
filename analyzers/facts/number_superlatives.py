"""Superlatives in prose ("best on all four data sets") joined to the columns they are about, and the column that refutes them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from analyzers.facts.alignment import Evidence
from analyzers.facts.alignment_pairs import subject_column_before
from analyzers.facts.number_comparisons import HEDGE, NEAR, Spoken, other_setting, own_row, spoken
from analyzers.facts.number_links import NumberLinks
from analyzers.facts.tables.model import Cell, Direction, Heading, Orientation, Role, Table
from analyzers.facts.vocabulary import Gate
from analyzers.project.manuscript import Manuscript

_THINGS = (
    r"datasets?|data sets?|benchmarks?|tasks?|metrics?|measures?|languages?|language pairs?|pairs?|corpora|corpus|domains?"
    r"|settings?|columns?|test sets?|sets?|collections?|workloads?|traces?|scenarios?|cases?|conditions?|outcomes?|categories"
    r"|category|subsets?|splits?|problems?|environments?|games?|scenes?|queries|criteria|criterion|dimensions?|aspects?"
    r"|projects?|subjects?|classes|repositories|cities|sites?|cent(?:re|er)s?|hospitals?|regions?|countries|species|levels?"
    r"|horizons?|folds?|years?|topics?|genres?|cohorts?|groups?|models?|backbones?|systems?"
)
_SUPERLATIVE = re.compile(
    r"\b(?:(?P<best>best|highest|lowest|top|superior|fastest|shortest|smallest|largest|strongest|most accurate)\b[^.;:]{0,60}?"
    r"|(?P<verb>outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|beats?|exceeds?|dominates?|ranks? first|wins?|leads?|comes? (?:out )?(?:first|ahead|on top)"
    r"|(?:is|are|was|were|stays?|remains?) (?:clearly |consistently |always |well )?(?:ahead of|above|better than|superior to))\b[^.;:]{0,70}?)"
    r"\b(?:on|in|across|over|for|under|at|throughout)\s+(?:(?:all|each|both|every)(?:\s+of)?(?:\s+(?:the|our|these))?|(?P<some>\w+)\s+(?:out\s+)?of(?:\s+the)?)\s+(?P<count>\w+)?\s*"
    r"(?:(?!of\b|to\b|in\b|with\b|that\b|which\b)[a-z-]+\s){0,2}?"
    rf"(?P<what>{_THINGS}|(?(count)(?P<other>[a-z]{{4,}}s)|(?!)))\b"
    # "No baseline beats it in any of the five regions"
    r"|\b(?P<none>no|none of the|neither of the)\s+(?:[\w-]+\s+){1,4}?(?:beats?|outperforms?|surpass(?:es)?|exceeds?|is (?:better|more accurate) than|does better than)\s+"
    r"[^.;:,]{1,40}?\s(?:in|on|for|at|across)\s+(?:any|even one|a single one)\s+of\s+(?:the|our|these|its)\s+(?P<all>\w+)\s+(?:[a-z-]+\s+){0,2}?(?P<things>[a-z]{4,}s)\b",
    re.IGNORECASE,
)
# "Across all three tasks, X performs best": the same with what is counted in front.
_FRONTED = re.compile(
    r"(?:^|[;:(]\s?|\b(?:that|and)\s)(?P<head>(?:on|in|across|over|for|under|at|throughout)\s+(?:all|each|both|every)(?:\s+of)?(?:\s+(?:the|our|these))?\s+(?P<count>\w+)?\s*"
    rf"(?:(?!of\b|to\b|in\b|with\b|that\b|which\b)[a-z-]+\s){{0,2}}?(?P<what>{_THINGS})),?\s(?P<who>[^.;:,]{{1,50}}?)\b"
    r"(?P<best>(?:clearly\s|consistently\s|always\s)?(?:performs?|works?|does|scores?)\s(?:the\s)?best"
    r"|(?:is|was|remains?)\s(?:the\s)?(?:best|strongest|fastest|top)|(?:attains?|achieves?|reaches|obtains?|yields?|has|gets|gives|shows|delivers)\sthe\s(?:best|highest|lowest|top)"
    r"|comes? (?:out )?(?:first|ahead|on top)|ranks? first|wins|leads"
    r"|(?:outperform(?:s|ed)?|surpass(?:es|ed)?|beats?|exceeds?)\s(?:all|every|each|any|the)\s(?:of the\s)?(?:other|baseline|competitor|competing|alternative|method)\w*"
    r"|(?:is|was|remains?|stays?)\s(?:(?:clearly|consistently|always)\s)?(?:better than|more (?:accurate|precise|effective|reliable) than|ahead of|superior to|above)\s(?:all|every|each|any|both)\s(?:of the\s)?(?:other|baseline|competitor|competing|alternative|method|rival)\w*)\b"
    r"(?!\s(?:on average|overall|in terms|among|after|with)\b)",
    re.IGNORECASE,
)
# A piece of each of the words that it begins with.
_EXTREME = Gate(
    "best highest lowest top superior fastest shortest smallest largest strongest accurate outperform surpass beat exceed dominate rank win lead come ahead above better".split()
)
_IT = re.compile(r"\bits?\b", re.IGNORECASE)
_VARIANT = re.compile(r"^\s*(?:[-+−–]|w/o|w/|with|without|no |only )|\b(?:ablation|variant)\b", re.IGNORECASE)
_LOW = frozenset(("lowest", "shortest", "smallest"))
_HIGH = frozenset(("highest", "largest"))
_METRICS = re.compile(r"metric|measure", re.IGNORECASE)
_SETS = re.compile(r"data ?set|benchmark|language|corp|test set|collection|domain|workload|trace|game", re.IGNORECASE)
_EFFORT = frozenset(
    ("fps", "time", "latency", "memory", "flops", "gflops", "macs", "throughput", "speed", "runtime", "run time", "running time", "inference time", "training time", "cost",
     "params", "energy")
)  # fmt: skip
_OURS = re.compile(r"\b(?:ours?|proposed)\b", re.IGNORECASE)
_COUNTS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}


_EITHER = re.compile(f"{_SUPERLATIVE.pattern}|{re.sub(r'[(][?]P<[a-z]+>', '(?:', _FRONTED.pattern)}", re.IGNORECASE)


class Superlative(NamedTuple):
    """ "Best on all four data sets", which some column refutes: `cell` beats `own` there; `good` of `total` columns agree."""

    spoken: Spoken
    start: int
    end: int
    table: int
    own: Cell
    cell: Cell
    good: int
    total: int
    stated: int
    lines: str = "columns"
    """What the sentence counts: the columns, or the rows of a table whose columns are the methods."""


def superlatives(manuscript: Manuscript, links: NumberLinks, outside: re.Pattern[str]) -> Iterator[Superlative]:
    """The superlatives that a column of their table refutes.  `outside` names rows that take no part, such as an oracle."""
    for item in spoken(manuscript, links, _EITHER, _EXTREME, "superlatives"):
        text = item.statement.text
        for match in _SUPERLATIVE.finditer(text):
            clause = text[max(0, match.start() - 60) : match.end() + 40]
            if match["none"]:
                clause = text[max(0, match.start() - 60) : match.start()] + text[match.end("none") : match.end() + 40]
            if HEDGE.search(clause):
                continue
            stated = _count(match["count"] or match["all"])
            some = _count(match["some"])
            if match["some"] is not None and some is None:
                continue
            before = match.end() if match["none"] else match.start()
            found = _refuted_superlative(links, item, match, stated, some, outside, before)
            if found is not None:
                yield found
        for match in _FRONTED.finditer(text):
            if HEDGE.search(text[max(0, match.start() - 60) : match.end() + 40]):
                continue
            found = _refuted_superlative(links, item, match, _count(match["count"]), None, outside, match.start("best"))
            if found is not None:
                yield found._replace(start=match.start("head"))


def _count(word: str | None) -> int | None:
    if word is None:
        return None
    return int(word) if word.isdigit() else _COUNTS.get(word.lower())


def _refuted_superlative(
    links: NumberLinks,
    item: Spoken,
    match: re.Match[str],
    stated: int | None,
    some: int | None,
    outside: re.Pattern[str],
    before: int,
) -> Superlative | None:
    tables = [t for t, evidence in item.alignment.candidates.items() if evidence & NEAR]
    strong = [t for t in tables if item.alignment.candidates[t] & Evidence.REFERENCE_SENTENCE]
    tables = strong or tables
    for table in tables:
        found = links.tables[table].table
        if found.orientation is Orientation.COLUMNS:
            continue
        own = own_row(links.aligner.prepared.terms, item, table, before)
        if own is None:
            across = _refuted_across(found, item, match, table, stated, some, outside)
            if across is not None:
                return across
            grouped = _refuted_in_groups(found, item, match, table, stated, outside) if some is None else None
            if grouped is not None:
                return grouped
            continue
        columns = _result_columns(found, match.group(0), own)
        if stated is not None and stated != len(columns):
            # "All three measures of quality" beside a column of speed or size.
            columns = [heading for heading in columns if not _effort(heading)]
        if other_setting(item, found) or not _counts(match, columns):
            continue
        wanted = stated if stated is not None else None
        if (
            len(columns) < 2
            or (wanted is not None and wanted != len(columns))
            or (wanted is None and len(strong) != 1 and len(tables) != 1)
        ):
            continue
        others = _opponents(item, table, match, own)
        if others is None:
            continue
        beaten = [
            (column, better)
            for column in columns
            if (better := _better(found, own, column, outside, others=others)) is not None
        ]
        good = len(columns) - len(beaten)
        needed = some if some is not None else len(columns)
        # A sentence that is wrong about most columns was read wrongly.
        if (
            good == needed
            or not beaten
            or (some is None and len(beaten) * 2 > len(columns))
            or (some is not None and abs(good - some) > 1)
        ):
            continue
        cell = found.at(own, beaten[0][0].index)
        if cell is not None:
            return Superlative(item, match.start(), match.end(), table, cell, beaten[0][1], good, len(columns), needed)
    return None


def _opponents(item: Spoken, table: int, match: re.Match[str], own: int) -> frozenset[int] | None:
    """The rows that a method is said to outperform by their names; empty when it is said to be the best of all, None when that
    cannot be told: the name of the one that it outperforms is not in the table."""
    if match.re is not _SUPERLATIVE or match["verb"] is None:
        return frozenset()
    behind = match.group(0)[match.end("verb") - match.start() :]
    where = _WHERE.search(behind)
    beaten = behind[: where.start()] if where is not None else ""
    anchors = item.alignment.anchors[table]
    named = zip(anchors.strong_rows, anchors.row_starts, strict=False)
    rows = frozenset(row for row, start in named if match.start() <= start < match.end() and row != own)
    if rows or not beaten.strip(" ,()") or _EVERYBODY.search(beaten):
        return rows
    return None


_WHERE = re.compile(
    r"\b(?:on|in|across|over|for|under|at|throughout)\s+(?:(?:all|each|both|every)\b|\w+\s+(?:out\s+)?of\b)",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(
    r"\b(?:all|every|each|any|both|others?|baselines?|methods?|competitors?|competing|approaches|models|alternatives|systems|them|rest|everything|state|existing|previous|prior|compared|consistently|clearly|always|significantly|substantially)\b",
    re.IGNORECASE,
)


def _effort(heading: Heading) -> bool:
    """True for columns of speed, time and size, which are not what results are measured by."""
    if heading.unit is not None and (
        heading.unit.dimension in ("time", "size") or heading.unit.dimension.endswith("/time")
    ):
        return True
    return heading.metric in _EFFORT


def _group(match: re.Match[str], name: str) -> str | None:
    """A group that only one of the two expressions has."""
    return match[name] if name in match.re.groupindex else None


def _counts(match: re.Match[str], columns: list[Heading]) -> bool:
    """True when the columns may be what the sentence counts: data sets share one metric, metrics are all different."""
    metrics = {heading.metric for heading in columns}
    what = match["what"] or _group(match, "things") or ""
    if _group(match, "other") or _group(match, "none"):
        return len(metrics) == 1
    if _METRICS.match(what):
        return len(metrics) == len(columns) and None not in metrics
    return len(metrics) == 1 or not _SETS.match(what)


def _refuted_across(
    found: Table,
    item: Spoken,
    match: re.Match[str],
    table: int,
    stated: int | None,
    some: int | None,
    outside: re.Pattern[str],
) -> Superlative | None:
    """ "First in all five regions", where the columns are the methods and the rows are what the sentence counts.

    The number of rows has to be that of the sentence; all columns measure one thing in one direction.
    """
    anchors = item.alignment.anchors[table]
    named = list(dict.fromkeys(anchors.strong_columns))
    if not named and _IT.search(item.statement.text, 0, match.end()):
        subject = subject_column_before(item.alignment, table)
        named = [] if subject is None else [subject]
    if (
        len(named) != 1
        or anchors.strong_rows
        or stated is None
        or _METRICS.match(match["what"] or _group(match, "things") or "")
    ):
        return None
    own = found.columns[named[0]]
    methods = [
        heading for heading in found.columns
        if heading.role is own.role and not heading.header and heading.index >= found.label_columns and heading.path and len(heading.path) == len(own.path)
    ]  # fmt: skip
    alike = {(heading.metric, heading.unit, heading.direction, heading.path[:-1]) for heading in methods}
    rows = [
        row for row in found.rows
        if not row.header and row.path and row.role in (Role.UNKNOWN, Role.METRIC)
        and (cell := found.at(row.index, own.index)) is not None and cell.quantity is not None and cell.row_span == 1
    ]  # fmt: skip
    if (
        len(methods) < 2
        or own not in methods
        or len(alike) != 1
        or own.direction is Direction.UNKNOWN
        or own.role is not Role.METRIC
        or len(rows) != stated
        or len(rows) < 2
        or len({row.metric for row in rows}) != 1
        or other_setting(item, found)
    ):
        return None
    word = (match["best"] or "").lower()
    direction = Direction.LOWER if word in _LOW else Direction.HIGHER if word in _HIGH else own.direction
    if direction is not own.direction:
        return None
    beaten = [
        (row, better) for row in rows if (better := _better_column(found, row, own, methods, outside)) is not None
    ]
    good, needed = len(rows) - len(beaten), some if some is not None else len(rows)
    if good == needed or not beaten or (len(beaten) * 2 > len(rows) if some is None else abs(good - some) > 1):
        return None
    cell = found.at(beaten[0][0].index, own.index)
    if cell is None:
        return None
    return Superlative(item, match.start(), match.end(), table, cell, beaten[0][1], good, len(rows), needed, "rows")


def _better_column(
    table: Table, row: Heading, own: Heading, methods: list[Heading], outside: re.Pattern[str]
) -> Cell | None:
    """The cell of another method's column that beats that of `own` in a row."""
    mine = table.at(row.index, own.index)
    if mine is None or mine.quantity is None:
        return None
    name = own.path[-1].lower()
    best: Cell | None = None
    for column in methods:
        other, label = table.at(row.index, column.index), column.path[-1]
        if other is None or other.quantity is None or other.col_span > 1 or column is own:
            continue
        if outside.search(label) or _VARIANT.search(label) or name in label.lower() or label.lower() in name:
            continue
        gap = other.quantity.value - mine.quantity.value
        gap = -gap if own.direction is Direction.LOWER else gap
        if gap > 0 and other.quantity.decimals == mine.quantity.decimals and (best is None or _beats(other, best, own)):
            best = other
    return best


def _refuted_in_groups(
    found: Table, item: Spoken, match: re.Match[str], table: int, stated: int | None, outside: re.Pattern[str]
) -> Superlative | None:
    """ "The lowest latency on both workloads", where the method has a row under each workload and one column is named."""
    anchors = item.alignment.anchors[table]
    rows = list(dict.fromkeys(anchors.rows))
    columns = list(dict.fromkeys(anchors.strong_columns))
    if anchors.inherited or anchors.strong_rows or len(columns) != 1 or len(rows) < 2:
        return None
    names = {found.rows[row].path[-1:] for row in rows}
    titles = {found.rows[row].path[:-1] for row in rows}
    column = found.columns[columns[0]]
    if len(names) != 1 or len(titles) != len(rows) or () in titles or (stated is not None and stated != len(rows)):
        return None
    word = (match["best"] or "").lower()
    direction = Direction.LOWER if word in _LOW else Direction.HIGHER if word in _HIGH else Direction.UNKNOWN
    if column.direction is Direction.UNKNOWN or direction not in (Direction.UNKNOWN, column.direction):
        return None
    beaten = [(row, better) for row in rows if (better := _better(found, row, column, outside, alone=True)) is not None]
    if not beaten or len(beaten) * 2 > len(rows):
        return None
    cell = found.at(beaten[0][0], column.index)
    if cell is None:
        return None
    good = len(rows) - len(beaten)
    return Superlative(item, match.start(), match.end(), table, cell, beaten[0][1], good, len(rows), len(rows))


def _result_columns(table: Table, words: str, own: int) -> list[Heading]:
    columns = [
        heading for heading in table.columns
        if heading.role in (Role.METRIC, Role.UNKNOWN) and not heading.header and heading.index >= table.label_columns
        and (cell := table.at(own, heading.index)) is not None and cell.quantity is not None
    ]  # fmt: skip
    named = [heading for heading in columns if heading.metric is not None and heading.metric in words.lower()]
    columns = named or columns
    if any(heading.direction is Direction.UNKNOWN for heading in columns):
        shown = _shown_by_bold(table, columns)
        if shown is Direction.UNKNOWN:
            return []
        return [
            heading if heading.direction is not Direction.UNKNOWN else replace(heading, direction=shown)
            for heading in columns
        ]
    return columns


def _shown_by_bold(table: Table, columns: list[Heading]) -> Direction:
    """Where no header tells what is good, bold does: one bold number in each of three columns or more, at the same end of all."""
    if len(columns) < 3:
        return Direction.UNKNOWN
    ends: set[Direction] = set()
    for heading in columns:
        cells = [
            cell for row in table.rows
            if not row.header and (cell := table.at(row.index, heading.index)) is not None and cell.quantity is not None and not cell.header
        ]  # fmt: skip
        bold = [cell for cell in cells if cell.bold or (cell.quantity is not None and cell.quantity.bold)]
        values = sorted(cell.quantity.value for cell in cells if cell.quantity is not None)
        if len(bold) != 1 or len(values) < 3 or values[0] == values[-1] or bold[0].quantity is None:
            return Direction.UNKNOWN
        value = bold[0].quantity.value
        if value not in (values[0], values[-1]):
            return Direction.UNKNOWN
        ends.add(Direction.HIGHER if value == values[-1] else Direction.LOWER)
    known = {heading.direction for heading in columns} - {Direction.UNKNOWN}
    return ends.pop() if len(ends) == 1 and known <= ends else Direction.UNKNOWN


def _better(
    table: Table,
    own: int,
    column: Heading,
    outside: re.Pattern[str],
    alone: bool = False,
    others: frozenset[int] = frozenset(),
) -> Cell | None:
    """The cell of another row that beats that of `own`; with `alone` only rows under the same title take part, with `others` only those."""
    mine = table.at(own, column.index)
    if mine is None or mine.quantity is None:
        return None
    name = " ".join(table.rows[own].path).lower()
    best: Cell | None = None
    for row in table.rows:
        other = table.at(row.index, column.index)
        if (
            row.header
            or row.index == own
            or other is None
            or other.quantity is None
            or other.header
            or other.row_span > 1
        ):
            continue
        if others and row.index not in others:
            continue
        if alone and row.path[:-1] != table.rows[own].path[:-1]:
            continue
        label = " ".join(row.path)
        if (
            outside.search(label)
            or (_OURS.search(label) and _OURS.search(name))
            or _VARIANT.search(label)
            or (name and name in label.lower())
            or (label and label.lower() in name)
        ):
            continue
        if row.role in (Role.AVG, Role.TOTAL, Role.DELTA) or (
            row.group != table.rows[own].group and len(table.groups) > 2
        ):
            continue
        gap = other.quantity.value - mine.quantity.value
        if column.direction is Direction.LOWER:
            gap = -gap
        if (
            gap > 0
            and other.quantity.decimals == mine.quantity.decimals
            and (best is None or _beats(other, best, column))
        ):
            best = other
    return best


def _beats(first: Cell, second: Cell, column: Heading) -> bool:
    assert first.quantity is not None and second.quantity is not None
    gap = first.quantity.value - second.quantity.value
    return gap < 0 if column.direction is Direction.LOWER else gap > 0
