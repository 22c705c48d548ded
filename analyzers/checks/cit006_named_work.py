"""CIT006 `named-work`: “BERT~\\cite{k}” cites an entry that never mentions BERT, while another entry is the work of that name.

## What it flags
A name in capitals right before a citation of one key, when the entry of the key does not hold the name and exactly one other
entry of the bibliography has a title that begins with it (“BERT: Pre-training of …”).

## Why it matters
It is how two keys mixed up look to a reader.

## When it stays silent
At the end of a sentence, where the citation may stand for all of it; when the cited title spells the name out (its initials), when the entry holds the name in any field, when several entries or
none bear it, and when the command cites several keys.
"""

import re
from collections.abc import Iterator, Mapping

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.citations.folding import fold_words
from analyzers.facts.citations import Citation, citations
from analyzers.facts.macros import Macros
from analyzers.facts.view import block_fact, prose_of
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry, Bibliography
from analyzers.project.manuscript import Manuscript
from analyzers.text.document import Block
from analyzers.text.prose import CITATION, PieceKind

_BEFORE = re.compile(
    rf"(?<![\w-])(?P<name>[A-Za-z]*[A-Z][\w]*(?:[-+][A-Z0-9]\w*)*)[ \u00a0]?(?P<cite>{CITATION})(?=,? ?[a-z])"
)
_LEADING = re.compile(r"([A-Za-z]*[A-Z][\w]*(?:[-+][A-Z0-9]\w*)*)(?=\s*(?::|--|—|–))")
_SHORTEST = 3
_WINDOW = 80
_REFS = (
    "@article{devlin, title={{BERT}: Pre-training of Deep Transformers}, author={Devlin, J}, year=2019}\n"
    "@article{smith, title={On Rivers}, author={Smith, A}, year=2001}\n"
    "@article{gan, title={Generative Adversarial Networks}, author={Elm, E}, year=2014}\n"
    "@article{gan2, title={GAN: A Survey of Nets}, author={Fir, F}, year=2018}\n"
)


def _files(text: str) -> dict[str, str]:
    return {"main.tex": text + "\\bibliography{refs}", "refs.bib": _REFS}


class NamedWork(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CIT006"
    name = "named-work"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example("The key of another work", _files(r"BERT~\cite{smith} is deep."), ("smith",)),
        Example("The right key", _files(r"BERT~\cite{devlin} is deep.")),
        Example("A name that is spelt out", _files(r"GAN~\cite{gan} is used.")),
        Example("A name that no entry bears", _files(r"RoBERTa~\cite{smith} is used.")),
        Example("A citation for the whole sentence", _files(r"Rivers are seen by surveys like BERT~\cite{smith}.")),
        Example("Several keys", _files(r"BERT~\cite{smith,gan} is deep.")),
        Example("A word in between", _files(r"BERT on rivers~\cite{smith} is deep.")),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per citation."""
        bearers = manuscript.bibliography.derived("names in titles", _bearers)
        if not bearers:
            return
        for _, entry in manuscript.body:
            for name, citation in _named(entry.block, manuscript.macros):
                others = bearers.get(_folded(name), ())
                cited = manuscript.entry_of_key(citation.key)
                if len(others) != 1 or cited is None or others[0].body is cited.body or _speaks_of(cited, name):
                    continue
                other = others[0]
                span = entry.span(citation.start, citation.end)
                yield self.finding(
                    f"The text names {name}; the entry {cited.key} does not mention it, while {other.key} has it in its title.",
                    span,
                    related=(Related(other.key_span, f"the entry {other.key}"),),
                    fixes=(Fix(f"Cite {other.key} instead", (Edit(span, other.key),)),),
                )


@block_fact
def _named(block: Block, macros: Macros) -> tuple[tuple[str, Citation], ...]:
    """Names right before a command that cites one key, remembered on the block."""
    return tuple(_find_named(block, macros))


def _may_name(text: str) -> bool:
    """A cheap look for a word with a capital right before some citation, and a small letter behind it."""
    at = text.find(CITATION)
    while at >= 0:
        if text[at + 1 : at + 4].lstrip(", ")[:1].islower():
            word = text[max(at - _WINDOW, 0) : at].rstrip(" \u00a0").replace("\u00a0", " ").rpartition(" ")[2]
            if word != word.lower():
                return True
        at = text.find(CITATION, at + 1)
    return False


def _find_named(block: Block, macros: Macros) -> Iterator[tuple[str, Citation]]:
    cited = citations(block, macros)
    if not cited:
        return
    by_command: dict[int, list[Citation]] = {}
    for citation in cited:
        by_command.setdefault(citation.command_start, []).append(citation)
    prose = prose_of(block, macros)
    if not _may_name(prose.text):
        return
    for match in _BEFORE.finditer(prose.text):
        name = match["name"]
        if len(name) < _SHORTEST or sum(map(str.isupper, name)) + any(map(str.isdigit, name)) < 2:
            continue
        at, _ = prose.source(match.start("cite"), match.end("cite"))
        group = by_command.get(at, [])
        if len(group) == 1 and prose.kind_at(match.start("name")) is not PieceKind.MACRO:
            yield name, group[0]


def _bearers(bibliography: Bibliography) -> Mapping[str, tuple[BibEntry, ...]]:
    found: dict[str, tuple[BibEntry, ...]] = {}
    for entry in bibliography.entries:
        name = entry.body.derived("leading name", lambda body: _leading_name(BibEntry("", 0, body).plain("title")))
        if name:
            found[name] = (*found.get(name, ()), entry)
    return found


def _leading_name(title: str) -> str:
    match = _LEADING.match(title)
    return _folded(match[1]) if match is not None and sum(map(str.isupper, match[1])) > 1 else ""


def _folded(name: str) -> str:
    return "".join(fold_words(name))


def _speaks_of(entry: BibEntry, name: str) -> bool:
    """Whether an entry holds the name anywhere, or its title spells it out."""
    folded = _folded(name)
    letters = re.sub(r"\d", "", folded)
    title = fold_words(entry.plain("title"))
    if folded in "".join(fold_words(entry.source)) or (letters and letters in "".join(title)):
        return True
    initials = iter("".join(word[0] for word in title))
    return all(letter in initials for letter in letters)
