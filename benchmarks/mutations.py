"""Recall of the checks: change one thing in a manuscript that is consistent, and see whether it is found.

Usage: python benchmarks/mutations.py [CORPUS_PAPERS] [--places N] [--seed N]
Without a folder the papers are taken from COUNTERCLAIM_CORPUS.  Each operator changes real places of the English papers; where a paper
has too few, generated tables and sentences are changed besides.  A change counts as found when a new finding of the families named by
the operator touches it.  Printed are k/n with 95 % Wilson intervals, and the findings per unmutated paper.
"""

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mutations_generated import GENERATED, Generated

from analyzers.checks.examples import manuscript_of
from analyzers.driver import analyse
from analyzers.evaluation.intervals import wilson
from analyzers.facts.alignment import Verified
from analyzers.facts.number_links import number_links
from analyzers.facts.number_support import one_slip
from analyzers.facts.quantities.model import Kind
from analyzers.facts.quantity_facts import quantities_of
from analyzers.facts.table_facts import tables_of
from analyzers.facts.tables.model import Cell, Direction, Orientation, Role, Table
from analyzers.finding import Severity
from analyzers.fixes import Edit, apply_edits
from analyzers.project.assemble import assemble
from analyzers.project.library import Library
from analyzers.project.manuscript import Manuscript
from analyzers.project.roots import roots
from analyzers.project.sections import SectionClass
from analyzers.text.document import Document
from analyzers.text.spans import Span
from server.files import DiskReader

ENOUGH = 30
OUTSIDE = ("REF", "CIT", "BIB", "ACR", "TXT", "SEC", "DUP")


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: edits of one file, and the places where a finding counts."""

    edits: tuple[Edit, ...]
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of change, the beginnings of the codes that find it, and its real places; `candidates` counts those as well."""

    name: str
    codes: tuple[str, ...]
    places: Callable[[Manuscript, random.Random], Iterator[Mutation]]
    candidates: bool = False


@dataclass(slots=True)
class Tally:
    """Changes found among changes made, on real and on generated text."""

    real: list[int] = field(default_factory=lambda: [0, 0])
    generated: list[int] = field(default_factory=lambda: [0, 0])


def slipped(text: str, rng: random.Random) -> str | None:
    """The literal with one digit changed, or two neighbouring ones swapped; never the same number, never a new leading zero."""
    choices = sorted(
        other for other in one_slip(text)
        if other.strip("0.") != text.strip("0.") and not (other[:1] == "0" and text[:1] != "0")
    )  # fmt: skip
    return rng.choice(choices) if choices else None


def _replaced(manuscript: Manuscript, span: Span, text: str) -> Mutation:
    del manuscript
    return Mutation((Edit(span, text),), (Span(span.path, span.start, span.start + len(text)),))


def abstract_digits(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """Each number with decimals of the abstract, by one digit."""
    for _, entry in manuscript.body:
        if manuscript.section_class(entry) is not SectionClass.ABSTRACT:
            continue
        for sentence in quantities_of(entry.block, manuscript.macros, manuscript.language):
            for quantity, place in zip(sentence.quantities, sentence.places, strict=True):
                if (
                    quantity.decimals <= 0
                    or not place.editable
                    or quantity.kind in (Kind.IDENTIFIER, Kind.YEAR)
                    or quantity.endpoints
                ):
                    continue
                text = slipped(quantity.text, rng)
                if text is not None:
                    yield _replaced(manuscript, entry.span(place.start, place.end), text)


def linked_numbers(manuscript: Manuscript, rng: random.Random, deltas: bool) -> Iterator[Mutation]:
    """Each number of the prose that the tables verify by row and column."""
    links = number_links(manuscript)
    for link in links.links:
        if not isinstance(link.link, Verified) or (link.link.other is not None) != deltas or not link.place.editable:
            continue
        if link.quantity.decimals <= 0:
            continue
        text = slipped(link.quantity.text, rng)
        if text is not None:
            yield _replaced(manuscript, links.span(link), text)


def table_cells(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """Each cell that a number of the prose is verified by; the finding may stand at either."""
    links = number_links(manuscript)
    for link in links.links:
        if not isinstance(link.link, Verified) or link.quantity.decimals <= 0:
            continue
        cell, _ = links.cell(link.link)
        number = cell.quantity
        if number is None or number.through_macro is not None:
            continue
        entry = manuscript.entries[links.tables[link.link.table].entry]
        span = entry.span(number.number.start, number.number.end)
        text = slipped(manuscript.text(span), rng)
        if text is None:
            continue
        prose = links.span(link)
        shift = len(text) - (span.end - span.start) if prose.path == span.path and prose.start > span.start else 0
        moved = Span(prose.path, prose.start + shift, prose.end + shift)
        yield Mutation((Edit(span, text),), (Span(span.path, span.start, span.start + len(text)), moved))


def _readable(manuscript: Manuscript) -> Iterator[tuple[int, Table]]:
    for index, _, table in manuscript.located(tables_of):
        if table.problem is None and table.cells:
            yield index, table


def _number(cell: Cell | None) -> float | None:
    if (
        cell is None
        or cell.quantity is None
        or cell.header
        or len(cell.numbers) != 1
        or cell.row_span > 1
        or cell.col_span > 1
    ):
        return None
    return float(cell.quantity.value)


def averages(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """Cells of an average column that are the mean of all result columns before them, in at least four rows."""
    yield from _summaries(manuscript, rng, Role.AVG, lambda values: sum(values) / len(values), 4)


def totals(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """Cells of a total row or column that are sums, in at least three columns or rows."""
    yield from _summaries(manuscript, rng, Role.TOTAL, sum, 3)


def _summaries(
    manuscript: Manuscript, rng: random.Random, role: Role, compute: Callable[[Sequence[float]], float], least: int
) -> Iterator[Mutation]:
    for index, table in _readable(manuscript):
        for across in (False, True):
            lines, others = (table.rows, table.columns) if across else (table.columns, table.rows)
            for line in lines:
                if line.role is not role or line.header:
                    continue
                operands = [
                    other.index for other in lines
                    if other.index < line.index and other.role in (Role.METRIC, Role.UNKNOWN, Role.COUNT) and not other.header
                ]  # fmt: skip
                holding = []
                for other in others:
                    cell = table.at(line.index, other.index) if across else table.at(other.index, line.index)
                    values = [
                        _number(table.at(at, other.index) if across else table.at(other.index, at)) for at in operands
                    ]
                    stated = _number(cell)
                    if stated is None or cell is None or cell.quantity is None or len(values) < 2 or None in values:
                        continue
                    step = 10.0**-cell.quantity.decimals
                    if abs(compute([value for value in values if value is not None]) - stated) <= step / 2 + 1e-9:
                        holding.append(cell)
                if len(holding) >= least:
                    for cell in holding:
                        yield from _slip_cell(manuscript, index, cell, rng)


def _slip_cell(manuscript: Manuscript, index: int, cell: Cell, rng: random.Random) -> Iterator[Mutation]:
    if cell.quantity is None or cell.quantity.through_macro is not None:
        return
    span = manuscript.entries[index].span(cell.quantity.number.start, cell.quantity.number.end)
    text = slipped(manuscript.text(span), rng)
    if (
        text is not None
        and abs(float(text.replace(",", "") if _is_number(text) else 0) - float(cell.quantity.value))
        > 10.0**-cell.quantity.decimals
    ):
        yield _replaced(manuscript, span, text)


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).lstrip("-").isdigit()


def differences(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """Cells of a difference column that are the difference of two other columns, in at least four rows."""
    for index, table in _readable(manuscript):
        for heading in table.columns:
            if heading.role is not Role.DELTA:
                continue
            for first in table.columns:
                for second in table.columns:
                    if first.index == second.index or heading.index in (first.index, second.index):
                        continue
                    holding = []
                    for row in table.rows:
                        cell = table.at(row.index, heading.index)
                        one, two = _number(table.at(row.index, first.index)), _number(table.at(row.index, second.index))
                        stated = _number(cell)
                        if (
                            cell is None
                            or cell.quantity is None
                            or stated is None
                            or one is None
                            or two is None
                            or not stated
                        ):
                            continue
                        if abs(two - one - stated) <= 10.0**-cell.quantity.decimals / 2 + 1e-9:
                            holding.append(cell)
                    if len(holding) >= 4:
                        for cell in holding:
                            yield from _slip_cell(manuscript, index, cell, rng)


def bold_moved(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    r"""`\textbf{x}` and a plain y change places, in tables where bold is the best value of at least four columns."""
    for index, table in _readable(manuscript):
        if table.orientation is not Orientation.ROWS:
            continue
        entry = manuscript.entries[index]
        found = []
        for heading in table.columns:
            cells = [
                c
                for row in table.rows
                if (c := table.at(row.index, heading.index)) is not None and _number(c) is not None
            ]
            bold = [cell for cell in cells if cell.bold or (cell.quantity is not None and cell.quantity.bold)]
            if heading.direction is Direction.UNKNOWN or len(cells) < 3 or len(bold) != 1:
                continue
            choose = max if heading.direction is Direction.HIGHER else min
            if _number(bold[0]) == choose(value for cell in cells if (value := _number(cell)) is not None):
                found.append(
                    (bold[0], [cell for cell in cells if cell is not bold[0] and _number(cell) != _number(bold[0])])
                )
        rows = {cell.row for cell, _ in found}
        if len(found) < 4 or (len(rows) < 2 and "bold" not in table.caption_text.lower()):
            continue
        for cell, others in found:
            source = entry.block.text[cell.start : cell.end]
            plain = [o for o in others if "\\" not in entry.block.text[o.start : o.end]]
            if not (source.startswith("\\textbf{") and source.endswith("}")) or not plain:
                continue
            other = rng.choice(plain)
            edits = (
                Edit(entry.span(cell.start, cell.end), source[8:-1]),
                Edit(entry.span(other.start, other.end), "\\textbf{" + entry.block.text[other.start : other.end] + "}"),
            )
            low, high = min(cell.start, other.start), max(cell.end, other.end)
            yield Mutation(edits, (entry.span(low, high + 9),))


def units_changed(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """Times of the prose that a table verifies by row and column: ms becomes s, s becomes ms."""
    del rng
    links = number_links(manuscript)
    for link in links.links:
        quantity = link.quantity
        if (
            not isinstance(link.link, Verified)
            or quantity.unit is None
            or quantity.unit.symbol not in ("ms", "s")
            or not link.place.editable
        ):
            continue
        span = links.span(link)
        behind = manuscript.text(Span(span.path, span.end, span.end + 8))
        unit = quantity.unit.symbol
        at = behind.find(unit)
        if 0 <= at <= 3:
            start = span.end + at
            other = "s" if unit == "ms" else "ms"
            edit = Edit(Span(span.path, start, start + len(unit)), other)
            yield Mutation((edit,), (Span(span.path, span.start, start + len(other)),))


def nothing(manuscript: Manuscript, rng: random.Random) -> Iterator[Mutation]:
    """No real places: whether a relation holds in running text cannot be told without the check itself."""
    del manuscript, rng
    return iter(())


OPERATORS = (
    Operator("abstract digit", ("NUM",), abstract_digits),
    Operator("linked number", ("NUM", "TAB010", "CMP", "UNI"), lambda m, r: linked_numbers(m, r, False)),
    Operator("linked difference", ("NUM",), lambda m, r: linked_numbers(m, r, True)),
    Operator("linked cell", ("NUM", "TAB"), table_cells),
    Operator("bold moved", ("TAB001",), bold_moved),
    Operator("underline moved", ("TAB005",), nothing),
    Operator("average column", ("TAB002",), averages),
    Operator("total", ("TAB003",), totals),
    Operator("difference column", ("TAB004",), differences),
    Operator("count and percent", ("TAB006",), nothing),
    Operator("F1 column", ("TAB009",), nothing),
    Operator("copied table row", ("TAB011",), nothing),
    Operator("unit", ("TAB010", "UNI001"), units_changed),
    Operator("from-to arithmetic", ("NUM003",), nothing),
    Operator("sum of parts", ("NUM004",), nothing),
    Operator("partition percent", ("NUM005",), nothing),
    Operator("fraction and percent", ("NUM008",), nothing),
    Operator("superlative", ("NUM006",), nothing),
    Operator("comparative", ("CMP002", "CMP001"), nothing),
    Operator("p value", ("STA001", "STA005"), nothing),
    Operator("promised list", ("CNT001",), nothing),
    Operator("enumeration", ("CNT002",), nothing),
    Operator("negation (candidate)", ("CON004",), nothing, candidates=True),
)


def found(
    before: Iterable[tuple[str, str]], manuscript: Manuscript, operator: Operator, places: Iterable[Span]
) -> bool:
    """Whether a new finding (or candidate) of the operator's families touches one of the places."""
    analysis = analyse(manuscript, candidates=operator.candidates)
    known = set(before)
    wanted = tuple(places)
    spans = [
        (finding.code, span)
        for finding in analysis.findings
        if finding.severity.rank <= Severity.INFORMATION.rank and (finding.code, finding.message) not in known
        for span in (finding.span, *(place.span for place in finding.related[:5]))
    ]
    spans += [(pair.code, span) for pair in analysis.candidates for span in pair.places]
    return any(
        code.startswith(operator.codes) and span.path == place.path and span.start < place.end and place.start < span.end
        for code, span in spans for place in wanted
    )  # fmt: skip


def papers(folder: Path) -> Iterator[tuple[str, Library, str]]:
    """The papers of a folder with their roots: one folder each."""
    for paper in sorted(path for path in folder.iterdir() if path.is_dir()):
        library = Library(DiskReader(paper))
        for root in roots(library)[:1]:
            yield paper.name, library, root


def measure_real(folder: Path, most: int, seed: int) -> tuple[dict[str, Tally], Counter[str], int]:
    """Recall on the real papers, and what is found in them as they are."""
    tallies = {operator.name: Tally() for operator in OPERATORS}
    clean: Counter[str] = Counter()
    count = 0
    for name, library, root in papers(folder):
        manuscript = assemble(library, root)
        if manuscript.language != "en":
            continue
        count += 1
        analysis = analyse(manuscript)
        before = [(finding.code, finding.message) for finding in analysis.findings]
        clean.update(f.code for f in analysis.findings if f.severity.rank <= Severity.INFORMATION.rank)
        for operator in OPERATORS:
            rng = random.Random(f"{seed} {name} {operator.name}")
            places = list(operator.places(manuscript, rng))
            tally = tallies[operator.name]
            for mutation in rng.sample(places, min(len(places), max(most // 10, 6))):
                if tally.real[1] >= most:
                    break
                changed = _apply(library, root, manuscript, mutation)
                tally.real[1] += 1
                tally.real[0] += found(before, changed, operator, mutation.places)
    return tallies, clean, count


def _apply(library: Library, root: str, manuscript: Manuscript, mutation: Mutation) -> Manuscript:
    path = mutation.edits[0].span.path
    text = apply_edits(manuscript.files[path].text, mutation.edits)
    library.open(path, Document(text))
    changed = assemble(library, root)
    library.close(path)
    return changed


def measure_generated(tallies: dict[str, Tally], seed: int, count: int = 60) -> int:
    """Recall on generated manuscripts where the papers have too few places; returns the findings in unmutated ones."""
    false_alarms = 0
    for operator in OPERATORS:
        make = GENERATED.get(operator.name)
        tally = tallies[operator.name]
        if make is None or tally.real[1] >= ENOUGH:
            continue
        rng = random.Random(f"{seed} {operator.name}")
        for _ in range(count):
            item: Generated = make(rng)
            base = analyse(manuscript_of({"main.tex": item.text}))
            before = [(finding.code, finding.message) for finding in base.findings]
            false_alarms += sum(
                f.code.startswith(operator.codes) and f.severity.rank <= Severity.INFORMATION.rank
                for f in base.findings
            )
            changed = apply_edits(item.text, [Edit(Span("main.tex", item.start, item.end), item.changed)])
            place = Span("main.tex", item.start, item.start + max(len(item.changed), 1))
            places = [place, *(Span("main.tex", at, at + 1) for at in item.also)]
            tally.generated[1] += 1
            tally.generated[0] += found(before, manuscript_of({"main.tex": changed}), operator, places)
    return false_alarms


def share(hits: int, total: int) -> str:
    """ "27/30  90.0 % [74, 97]"."""
    interval = wilson(hits, total)
    if interval is None:
        return "-"
    low, high = interval
    return f"{hits}/{total} {100 * hits / total:.1f} % [{100 * low:.0f}, {100 * high:.0f}]"


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("papers", nargs="?", type=Path)
    parser.add_argument("--places", type=int, default=60, help="at most so many real places per operator")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    folder = options.papers or (
        Path(os.environ["COUNTERCLAIM_CORPUS"]) / "papers" if "COUNTERCLAIM_CORPUS" in os.environ else None
    )
    if folder is not None:
        tallies, clean, count = measure_real(folder, options.places, options.seed)
    else:
        tallies, clean, count = {operator.name: Tally() for operator in OPERATORS}, Counter(), 0
    false_alarms = measure_generated(tallies, options.seed)
    print(f"{'change':24} {'codes':16} {'real places':32} generated")
    for operator in OPERATORS:
        tally = tallies[operator.name]
        print(
            f"{operator.name:24} {','.join(operator.codes)[:16]:16} {share(*tally.real):32} {share(*tally.generated)}"
        )
    print(f"findings of the operator's families in unmutated generated texts: {false_alarms}")
    if count:
        counted = {code: number for code, number in sorted(clean.items()) if not code.startswith(OUTSIDE)}
        total = sum(counted.values())
        print(
            f"unmutated English papers: {count}; findings outside {', '.join(OUTSIDE)}: {total} = {total / count:.2f} per paper {counted}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
