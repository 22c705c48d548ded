"""Join the numbers of prose to the cells of tables: verified, refuted, or unknown with a reason.

A number that equals a cell proves nothing, since a fifth of all wrong numbers equal some cell as well; two of the three
kinds of evidence (a reference to the table nearby, the row's name, the column's name) make a link.  A link is refuted only
when sentence and table leave no other reading.
"""

from collections.abc import Iterable, Mapping, Sequence

from analyzers.facts.alignment_deltas import Reading
from analyzers.facts.alignment_model import Evidence, Link, Reason, Refuted, Sentence, Unknown, Verified
from analyzers.facts.alignment_sentence import DELTAS, VALUES, Prepared, SentenceAlignment
from analyzers.facts.alignment_terms import term_index
from analyzers.facts.alignment_values import value_index
from analyzers.facts.quantities.model import Quantity
from analyzers.facts.tables.model import Role, Table

__all__ = [
    "Aligner",
    "Evidence",
    "Link",
    "Reading",
    "Reason",
    "Refuted",
    "Sentence",
    "Unknown",
    "Verified",
    "align",
    "measured",
    "unmeasured",
]

_MEASURED = VALUES | DELTAS


class Aligner:
    """Prepared for a set of tables; aligns sentences one by one, so that an edit repeats only its own sentences."""

    def __init__(
        self,
        tables: Sequence[Table],
        aliases: Mapping[str, Iterable[str]] | None = None,
        acronyms: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        by_label: dict[str, list[int]] = {}
        results: list[int] = []
        for number, table in enumerate(tables):
            for label in table.labels:
                by_label.setdefault(label, []).append(number)
            if table.problem is None and _holds_results(table):
                results.append(number)
        values = [value_index(table) for table in tables]
        self.prepared = Prepared(tables, term_index(tables, aliases, acronyms), values, by_label, results)

    def sentence(self, number: int, sentence: Sentence, before: Sequence[Sentence] = ()) -> tuple[Link, ...]:
        """One link per quantity.  `before` are the sentences of the same paragraph in front of it, nearest last."""
        if not measured(sentence.quantities):
            return unmeasured(number, sentence.quantities)
        return SentenceAlignment(self.prepared, number, sentence, before).links()


def measured(quantities: Sequence[Quantity]) -> bool:
    """Whether any of these numbers may stand in a table."""
    return not _MEASURED.isdisjoint([quantity.kind for quantity in quantities])


def unmeasured(number: int, quantities: Sequence[Quantity]) -> tuple[Unknown, ...]:
    """The links of a sentence without a number that may stand in a table."""
    return tuple([Unknown(number, at, Reason.NOT_A_VALUE) for at in range(len(quantities))])


def align(
    sentences: Sequence[Sentence], tables: Sequence[Table], aliases: Mapping[str, Iterable[str]] | None = None
) -> tuple[Link, ...]:
    """Align every quantity of every sentence; one link each, in order."""
    aligner = Aligner(tables, aliases)
    links: list[Link] = []
    for number, sentence in enumerate(sentences):
        before: list[Sentence] = []
        for back in range(number - 1, max(-1, number - 4), -1):
            if sentences[back].paragraph != sentence.paragraph:
                break
            before.insert(0, sentences[back])
        links += aligner.sentence(number, sentence, before)
    return tuple(links)


def _holds_results(table: Table) -> bool:
    roles = {heading.role for heading in (*table.columns, *table.rows)}
    return bool(roles & {Role.METRIC, Role.AVG, Role.DELTA})
