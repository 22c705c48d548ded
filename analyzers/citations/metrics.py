"""Citation metrics of the paper-reconstruction evaluation (PaperRecon, `evaluate_citation.py`), and ours beside them.

`published_scores` repeats the published program, faults included, so that numbers can be compared with the literature;
`published_formula` applies the formulas of the paper's text, which differ from its program; `corrected_scores` reads
citations as LaTeX does and has no value where a denominator is zero.

Known faults of the published program, each a test case: `\\Citet`, further groups of multicites, `\\cite<p>{k}`, nested
brackets and a comment between command and key are missed; `\\setcitestyle`, `\\defcitealias`, commented and `\\verb`
citations are counted; `@string` and `@comment` are read as entries and swallow the next key; `@article {` and `@article(`
are missed.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from analyzers.facts.citations import citations
from analyzers.facts.macros import Macros, macros_of
from analyzers.project.bibliography import read_bibliography
from analyzers.text.document import Document

_CITE = re.compile(r"\\([A-Za-z]*cite[A-Za-z]*)\*?(?:\s*\[[^\]]*\]){0,2}\s*\{([^}]*)\}")
_BIB_KEY = re.compile(r"@\w+\{([^,]+),")
_FILE_CONTENTS = re.compile(
    r"\\begin\{(filecontents\*?)\}(?:\s*\[[^\]]*\])?\s*\{[^}]*\.bib\}(.*?)\\end\{\1\}", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Score:
    """A value between 0 and 1, or None with the reason why there is none."""

    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CitationScores:
    """Scores of a reconstructed paper's citations against the original's.

    `common`, `missing` and `extra` compare the two sets of keys; `hallucinated` are cited keys without an entry.
    """

    precision: Score
    recall: Score
    f1: Score
    common: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    hallucinated: tuple[str, ...]


def published_keys(tex: str) -> frozenset[str]:
    """The cited keys as the published program finds them."""
    return frozenset(
        key.strip()
        for name, keys in _CITE.findall(tex)
        if not name.startswith("nocite")
        for key in keys.split(",")
        if key.strip()
    )


def published_entries(tex: str, references: str) -> frozenset[str]:
    """The entry keys as the published program finds them: in `filecontents` of the text and in `references.bib`."""
    embedded = "\n".join(match[2] for match in _FILE_CONTENTS.finditer(tex))
    return frozenset(key.strip() for key in _BIB_KEY.findall(f"{embedded}\n{references}"))


def cited_keys(tex: str) -> frozenset[str]:
    """The cited keys as LaTeX reads them: every citing command, wrappers followed, comments and verbatim text left out."""
    document = Document(tex)
    macros = Macros(macro for block in document.blocks for macro in macros_of(block))
    return frozenset(
        citation.key
        for block in document.blocks
        if not block.dead
        for citation in citations(block, macros)
        if citation.printed
    )


def entry_keys(tex: str, references: str) -> frozenset[str]:
    """The keys of the entries in `filecontents` of the text and in `references.bib`."""
    texts = [match[2] for match in _FILE_CONTENTS.finditer(tex)]
    return frozenset(
        entry.key for text in (*texts, references) for entry in read_bibliography("", text).entries if entry.key
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def published_scores(truth: str, predicted: str, references: str = "") -> CitationScores:
    """Scores as the published program computes them: 0 for an empty denominator, rounded to four digits."""
    wanted, cited = published_keys(truth), published_keys(predicted)
    common = wanted & cited
    precision, recall = _ratio(len(common), len(cited)), _ratio(len(common), len(wanted))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    scores = tuple(Score(round(value, 4)) for value in (precision, recall, f1))
    return _scores(scores, wanted, cited, published_entries(predicted, references))


def published_formula(truth: str, predicted: str, references: str = "") -> CitationScores:
    """The formulas of the paper's text: precision is the share of cited keys that have an entry, recall counts those only."""
    wanted, cited = published_keys(truth), published_keys(predicted)
    entries = published_entries(predicted, references)
    valid = cited & entries
    precision, recall = _ratio(len(valid), len(cited)), _ratio(len(valid & wanted), len(wanted))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return _scores((Score(precision), Score(recall), Score(f1)), wanted, cited, entries)


def corrected_scores(truth: str, predicted: str, references: str = "") -> CitationScores:
    """Our scores: keys as LaTeX reads them; None with a reason where nothing can be divided."""
    wanted, cited = cited_keys(truth), cited_keys(predicted)
    common = len(wanted & cited)
    precision = Score(common / len(cited)) if cited else Score(None, "the reconstruction cites nothing")
    recall = Score(common / len(wanted)) if wanted else Score(None, "the original cites nothing")
    if precision.value is None or recall.value is None:
        f1 = Score(None, precision.reason or recall.reason)
    elif not common:
        f1 = Score(0.0)
    else:
        f1 = Score(2 * precision.value * recall.value / (precision.value + recall.value))
    return _scores((precision, recall, f1), wanted, cited, entry_keys(predicted, references))


def _scores(
    scores: tuple[Score, ...], wanted: Collection[str], cited: Collection[str], entries: Collection[str]
) -> CitationScores:
    precision, recall, f1 = scores
    return CitationScores(
        precision,
        recall,
        f1,
        common=tuple(sorted(set(wanted) & set(cited))),
        missing=tuple(sorted(set(wanted) - set(cited))),
        extra=tuple(sorted(set(cited) - set(wanted))),
        hallucinated=tuple(sorted(set(cited) - set(entries))),
    )
