"""REF005 `typed-reference`: “Table 3” is typed by hand instead of being a reference.

## What it flags
“Table 3”, “Fig. 2”, “Section 4” and the like in running text.  It is a hint, and becomes information when the manuscript has
no figure or table of that number: “Table 7” with three tables.

## Why it matters
A typed number does not follow when floats move, and nobody is warned.

## When it stays silent
When the sentence cites or names another work, a supplement or an appendix, or says that something is adapted; in headings,
quotations and bibliographies.
"""

from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.floats import floats
from analyzers.facts.floats_typed import TypedReference, typed_references, value_of
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Entry, Manuscript

_TABLE = "\\begin{table}\\caption{A}\\label{tab:a}\\end{table}\n\n"
# Numbers are then made in a way that counting floats does not follow.
_RENUMBERS = frozenset(
    (
        "setcounter",
        "addtocounter",
        "tag",
        "ContinuedFloat",
        "counterwithin",
        "counterwithout",
        "numberwithin",
        "captionof",
        "external",
    )
)
_CAPTIONS = frozenset(
    ("caption", "captionof", "tablecaption", "topcaption", "bottomcaption", "tabcaption", "figcaption")
)


class TypedReferenceCheck(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "REF005"
    name = "typed-reference"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example.of("A table by number", _TABLE + "Table 1 shows it.", "Table 1"),
        Example.of("A table that does not exist", _TABLE + "Table 7 summarises it.", "Table 7"),
        Example.of("A Roman number", _TABLE + "Table~VII summarises it.", "Table~VII"),
        Example.of("A section by number", "We return to this in Sec.~4.", "Sec.~4"),
        Example.of("German", "Abbildung 2 zeigt den Aufbau.", "Abbildung 2"),
        Example.of("A reference", _TABLE + r"Table~\ref{tab:a} shows it."),
        Example.of("Another work", r"As Table 3 of \cite{x} shows, this holds."),
        Example.of("An adapted figure", r"\begin{figure}\caption{Adapted from Fig. 2 of the original.}\end{figure}"),
        Example.of("A supplement", "See Table 3 of the supplementary material."),
        Example.of("An optional argument of a citation", r"It holds \cite[Theorem 3]{x}."),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per typed reference."""
        typed = list(manuscript.located(typed_references))
        if not typed:
            return
        labelled: dict[str, list[str | None]] = {"figure": [], "table": []}
        for _, _, float_ in manuscript.located(floats):
            if float_.kind in labelled and float_.captions:
                labelled[float_.kind].append(float_.labels[0].key if float_.labels else None)
        counts = {kind: _upper_bound(manuscript, kind) for kind in labelled}
        for _, entry, item in typed:
            yield self._finding(entry, item, labelled.get(item.kind, []), counts.get(item.kind))

    def _finding(self, entry: Entry, item: TypedReference, labels: list[str | None], count: int | None) -> Finding:
        span = entry.span(item.start, item.end)
        read = value_of(item.number)
        whole = read is not None
        number = read or 0
        if whole and count and number > count:
            return self.finding(
                f"The manuscript has {count} {item.kind}{'' if count == 1 else 's'}, so there is none with the number {item.number}. Use \\ref instead of a typed number.",
                span,
                evidence={"number": number, "count": count},
            )
        fixes: tuple[Fix, ...] = ()
        label = labels[number - 1] if whole and 0 < number <= len(labels) else None
        if label is not None:
            fixes = (
                Fix(f"Refer to {label}", (Edit(entry.span(item.number_start, item.number_end), f"\\ref{{{label}}}"),)),
            )
        return self.finding(
            f"The number of this {item.kind} is typed by hand; \\ref keeps it right.",
            span,
            severity=Severity.HINT,
            fixes=fixes,
        )


def _upper_bound(manuscript: Manuscript, kind: str) -> int | None:
    """How many numbered figures or tables there are at most; None when that cannot be told."""
    if not manuscript.rooted or manuscript.open_labels:
        return None
    count = 0
    for entry in manuscript.entries:
        lexed = entry.block.lexed
        if any(command.name in _RENUMBERS for command in lexed.commands) or any(
            name in _RENUMBERS for name, _ in lexed.names
        ):
            return None
        if entry.preamble or entry.block.dead:
            continue
        inside = [item for item in floats(entry.block, manuscript.macros) if item.kind == kind]
        others = [item for item in floats(entry.block, manuscript.macros) if item.kind != kind]
        count += sum(max(item.captions, 1) for item in inside)
        # A caption outside of every known float may be one of this kind.
        for command in lexed.commands:
            if command.name in _CAPTIONS and not any(
                item.start < command.start < item.end for item in (*inside, *others)
            ):
                return None
    if any(
        "{" + kind in macro.body or macro.name == "the" + kind or ("@" in macro.name and kind in macro.name)
        for macro in manuscript.macros.table.values()
    ):
        return None
    return count or None
