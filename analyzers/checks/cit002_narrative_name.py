"""CIT002 `narrative-mismatch`: the authors or the year in the text are not those of the cited entry.

## What it flags
“Smith et al. \\cite{k}” or “Smith and Jones (2019) \\cite{k}” when no author of the entry has such a name, and a year that
differs from the entry's by more than one.

## Why it matters
It is how a wrong key looks to a reader, and a common trace of citations that were never looked up.

## When it stays silent
When one command cites several keys, when the entry has no authors or cuts its list, for single names (a method or a data set may
be meant), for “X and Y” when no entry is led by either, and for a year that is off by one: preprint and publication differ that much.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.citations.folding import fold_words
from analyzers.citations.names import parse_name
from analyzers.citations.record import split_names, year_of
from analyzers.facts.citations_narrative import NarrativeCitation, narrative_citations
from analyzers.finding import Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry
from analyzers.project.bibliography.values import resolved_fields
from analyzers.project.manuscript import Entry, Manuscript

# A name in the text is a transcription of such a name, and of several names at once.
_OTHER_SCRIPT = re.compile("[\u0370-\u1cff\u2e80-\ud7ff]")
_REFS = (
    "@article{jones2020, author = {Jones, Ann and Doe, Bo and Ray, Cy}, title = {A}, year = {2020}}\n"
    '@article{smith2019, author = {Smith, Al and M{\\"u}ller, Bo and Ray, Cy}, title = {B}, year = {2019}}\n'
    "@article{brown2001, author = {Brown, Ann and Green, Bo}, title = {D}, year = {2001}}\n"
    "@article{many, author = {Jones, Ann and others}, title = {C}, year = {2011}}\n"
)


def _files(text: str) -> dict[str, str]:
    return {"main.tex": text + "\\bibliography{refs}", "refs.bib": _REFS}


class NarrativeMismatch(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CIT002"
    name = "narrative-mismatch"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    examples = (
        Example(
            "A name that is not among the authors", _files(r"Smith et al.~\cite{jones2020} show it."), ("Smith et al.",)
        ),
        Example("Two names", _files(r"As Brown and Green \cite{smith2019} show."), ("Brown and Green",)),
        Example("A year that differs", _files(r"Smith et al. (2009) \cite{smith2019} show it."), ("2009",)),
        Example("The right name", _files(r"Jones et al.~\cite{jones2020} and M\"uller et al. \cite{smith2019}.")),
        Example("A year off by one", _files(r"Smith et al. (2018) \cite{smith2019} show it.")),
        Example("Several keys in one command", _files(r"Smith et al. \cite{jones2020,smith2019} show it.")),
        Example("A list that is cut", _files(r"Smith et al. \cite{many} show it.")),
        Example("Two methods", _files(r"We build with Maven and Gradle \cite{jones2020}.")),
        Example("A method's name", _files(r"We use Adam \cite{jones2020}.")),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per name or year."""
        for _, entry, item in manuscript.located(narrative_citations):
            cited = manuscript.entry_of_key(item.key)
            if cited is None:
                continue
            fields = resolved_fields(cited, manuscript.bibliography)
            names = " and ".join(fields[name].value for name in ("author", "editor", "shortauthor") if name in fields)
            authors, truncated = split_names(names)
            if not authors or (truncated and not item.year) or any(_OTHER_SCRIPT.search(author) for author in authors):
                continue
            words = _author_words(authors)
            if not truncated and not any(_known(name, words) for name in item.names) and _persons(manuscript, item):
                yield self._name(manuscript, entry, item, cited, authors)
                continue
            year = next((year_of(fields[name].value) for name in ("year", "date") if name in fields), None)
            # Later editions and reprints name the first year somewhere in the entry.
            if (
                item.year
                and year
                and abs(int(item.year) - year) > 1
                and item.year not in cited.source
                and "edition" not in fields
            ):
                yield self._year(entry, item, cited, year)

    def _name(
        self, manuscript: Manuscript, entry: Entry, item: NarrativeCitation, cited: BibEntry, authors: tuple[str, ...]
    ) -> Finding:
        listed = ", ".join(author.strip("{}") for author in authors[:3]) + (" …" if len(authors) > 3 else "")
        others = [
            other.key
            for other in manuscript.bibliography.entries
            if other.key != cited.key
            and _leads(other, item.names[0])
            and (not item.year or item.year in other.value("year") + other.value("date"))
        ]
        fixes = (
            (Fix(f"Cite {others[0]} instead", (Edit(entry.span(item.key_start, item.key_end), others[0]),)),)
            if len(others) == 1
            else ()
        )
        return self.finding(
            f"The text names {item.text}; the entry {cited.key} is by {listed}.",
            entry.span(item.start, item.end),
            related=(Related(cited.key_span, "The cited entry"),),
            fixes=fixes,
        )

    def _year(self, entry: Entry, item: NarrativeCitation, cited: BibEntry, year: int) -> Finding:
        return self.finding(
            f"The text says {item.year}; the entry {cited.key} says {year}.",
            entry.span(item.year_start, item.year_end),
            related=(Related(cited.key_span, "The cited entry"),),
        )


def _persons(manuscript: Manuscript, item: NarrativeCitation) -> bool:
    """True when the names surely are those of people: “Gradle and Maven” needs an entry led by one of them, “et al.” and a year do not."""
    if item.year or "al" in item.text.replace(".", "").split():
        return True
    return any(_leads(other, name) for other in manuscript.bibliography.entries for name in item.names)


def _author_words(authors: tuple[str, ...]) -> frozenset[str]:
    words: set[str] = set()
    for author in authors:
        words.update(fold_words(author))
        name = parse_name(author)
        words |= name.families | name.last
    return frozenset(words)


def _known(name: str, words: frozenset[str]) -> bool:
    """True when any word of the name, or the name written as one word, is a name of an author."""
    written = parse_name(name)
    return bool((written.families | written.last | frozenset(fold_words(name))) & words)


def _leads(entry: BibEntry, name: str) -> bool:
    """True when the first author of an entry has this family name."""
    authors, _ = split_names(entry.value("author"))
    if not authors:
        return False
    return bool(parse_name(authors[0]).last & parse_name(name).last)
