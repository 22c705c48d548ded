"""Citations with names or a year right before them: “Smith et al. (2020) \\cite{k}”."""

import re
from typing import NamedTuple

from analyzers.facts.citations import citations
from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact, prose_of
from analyzers.text.document import Block
from analyzers.text.prose import CITATION, PieceKind


class NarrativeCitation(NamedTuple):
    """One key and what stands before it; `names` are family names, `year` is empty when none is given.  Places are relative to the block."""

    key: str
    key_start: int
    key_end: int
    names: tuple[str, ...]
    text: str
    start: int
    end: int
    year: str
    year_start: int
    year_end: int


_NAME = r"(?:(?:van|von|der|den|de|di|da|del|la|le|ten|ter|zu)[ ~])*[A-ZÀ-ÖØ-ÞŁŚŠŽČ][\w'’]+(?:[-‐][A-ZÀ-Þ]?[\w'’]+)*"
_BEFORE = re.compile(
    rf"(?<![\w-])(?P<who>(?P<first>{_NAME})(?P<more>(?:, {_NAME})*)(?:,?\s+(?:and|&|und)\s+(?P<last>{_NAME})|,?\s+et\s+al\b\.?|\s+and\s+(?:colleagues|coworkers|co-workers)))"
    rf"(?:['’]s)?,?\s*(?:[(\[]?(?P<year>(?:19|20)\d\d)[a-z]?[)\]]?)?[,:]?\s*[(\[]?(?P<cite>{CITATION})"
)
# How the text before such a citation ends, seen from the citation: most follow words in small letters.
_ENDS_WITH_NAME = re.compile(
    r"(?:[A-ZÀ-ÖØ-ÞŁŚŠŽČ][\w'’‐-]*|\bal\.?|colleagues|coworkers|co-workers)(?:['’]s)?,?\s*(?:[(\[]?(?:19|20)\d\d[a-z]?[)\]]?)?[,:]?\s*[(\[]?\Z"
)
_WINDOW = 80
# Capitalised words that begin a sentence or name no person.
_NO_NAME = frozenset(
    "the this that these those in on as for and by with both from see following while since when although like unlike work works paper study theorem lemma figure table section"
    " equation algorithm university institute google openai meta microsoft deepmind bayes gauss hilbert fourier markov also later recently similarly"
    " furthermore moreover however thus hence then we our their its it".split()
)


@block_fact
def narrative_citations(block: Block, macros: Macros) -> tuple[NarrativeCitation, ...]:
    """The citations of a block that follow names of authors directly; only commands with a single key."""
    return tuple(_narrative(block, macros))


def _may_name(text: str) -> bool:
    """A cheap look for a name, “et al.” or the like right before some citation."""
    at = text.find(CITATION)
    while at >= 0:
        if _ENDS_WITH_NAME.search(text[max(at - _WINDOW, 0) : at]) is not None:
            return True
        at = text.find(CITATION, at + 1)
    return False


def _narrative(block: Block, macros: Macros) -> list[NarrativeCitation]:
    found: list[NarrativeCitation] = []
    cited = citations(block, macros)
    if not cited:
        return found
    keys: dict[int, list[int]] = {}
    for index, citation in enumerate(cited):
        keys.setdefault(citation.command_start, []).append(index)
    prose = prose_of(block, macros)
    if not _may_name(prose.text):
        return found
    for match in _BEFORE.finditer(prose.text):
        at, _ = prose.source(match.start("cite"), match.end("cite"))
        group = keys.get(at, [])
        if len(group) != 1:
            continue
        citation = cited[group[0]]
        names = [match["first"], *(part.strip() for part in match["more"].split(",") if part.strip())]
        if match["last"]:
            names.append(match["last"])
        if any(name.lower() in _NO_NAME or name.isupper() for name in names):
            continue
        if any(prose.kind_at(offset) is PieceKind.MACRO for offset in (match.start("who"), match.end("who") - 1)):
            continue
        start, end = prose.source(match.start("who"), match.end("who"))
        year = match["year"] or ""
        year_start, year_end = prose.source(match.start("year"), match.end("year")) if year else (0, 0)
        found.append(
            NarrativeCitation(
                citation.key,
                citation.start,
                citation.end,
                tuple(names),
                match["who"],
                start,
                end,
                year,
                year_start,
                year_end,
            )
        )
    return found
