"""Rules on the form of entries: syntax, repeated fields, undefined `@string` names, missing fields."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial

from analyzers.citations.plausibility.rule import BibExample, Rule, Spot
from analyzers.finding import Related, Severity
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import (
    BibEntry,
    BibField,
    Bibliography,
    EntryBody,
    resolved_fields,
    unresolved_parents,
)
from analyzers.project.bibliography.values import MONTHS
from analyzers.text.spans import Span

# Names that BibTeX's standard styles define for journals (btxbst.doc), so that no file has to.
_STYLE_JOURNALS = (
    "acmcs acta cacm ibmjrd ibmsj ieeese ieeetc ieeetcad ipl jacm jcss scp sicomp tocs tods tog toms toois toplas tcs"
)
_STYLE_MACROS = frozenset(_STYLE_JOURNALS.split())
_MONTH_NAMES = {name.lower(): macro for macro, name in MONTHS.items()} | {"sept": "sep"}

_AUTHOR = ("author",)
_AUTHOR_OR_EDITOR = ("author", "editor")
_YEAR = ("year", "date")
_TITLE = ("title",)
# One of each tuple is required (btxdoc, section 3.1; biblatex's names beside BibTeX's).  Publishers and addresses are
# left out: most styles print without them.
_REQUIRED: dict[str, tuple[tuple[str, ...], ...]] = {
    "article": (_AUTHOR, _TITLE, ("journal", "journaltitle", "eprint"), _YEAR),
    "book": (_AUTHOR_OR_EDITOR, _TITLE, _YEAR),
    "inbook": (_AUTHOR_OR_EDITOR, ("title", "chapter", "booktitle"), _YEAR),
    "incollection": (_AUTHOR, _TITLE, ("booktitle",), _YEAR),
    "inproceedings": (_AUTHOR, _TITLE, ("booktitle", "eventtitle"), _YEAR),
    "conference": (_AUTHOR, _TITLE, ("booktitle", "eventtitle"), _YEAR),
    "mastersthesis": (_AUTHOR, _TITLE, ("school", "institution"), _YEAR),
    "phdthesis": (_AUTHOR, _TITLE, ("school", "institution"), _YEAR),
    "thesis": (_AUTHOR, _TITLE, ("institution", "school"), _YEAR),
    "techreport": (_AUTHOR, _TITLE, ("institution",), _YEAR),
    "proceedings": (_TITLE, _YEAR),
    "unpublished": (_AUTHOR, _TITLE),
}
_ORGANISATIONS = ("organization", "institution", "key", "collaboration")


def _find_syntax(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    for problem in entry.problems:
        yield Spot(problem.message, None, problem.start, problem.end)


def _find_repeated(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    for item in entry.repeated:
        first = entry.field(item.name)
        if first is None:
            continue
        message = f"The field `{item.name}` is given twice; BibTeX ignores this one."
        severity = None
        if item.value == first.value:
            message = f"The field `{item.name}` is given twice with the same value."
            severity = Severity.HINT
        place = Related(Span(entry.path, first.name_start, first.raw_end), "the first one, which counts")
        yield Spot(message, item.name, item.name_start, item.name_end, severity, also=(place,))


def _find_undefined_string(entry: BibEntry, bibliography: Bibliography, __: date) -> Iterator[Spot]:
    for item in (*entry.body.fields, *entry.body.repeated):
        for use in item.macros:
            if use.defined or use.name in _STYLE_MACROS or use.name.startswith("ieee"):
                continue
            place = item.moved(entry.start)
            start, end = use.start + entry.start, use.end + entry.start
            written = item.raw[use.start - item.raw_start : use.end - item.raw_start]
            month = _MONTH_NAMES.get(use.name) if item.name == "month" else None
            if month is not None:
                fix = Fix(f"Write {month}", (Edit(Span(entry.path, start, end), month),), safe=True)
                message = f"No @string defines `{written}`, so the month is not printed; the name is `{month}`."
                yield Spot(message, item.name, start, end, fixes=(fix,))
                continue
            message = f"No @string defines `{written}`, so BibTeX prints nothing for it. Put braces around text."
            yield Spot(message, place.name, start, end, fixes=_braced(entry, place, written))


def _braced(entry: BibEntry, item: BibField, written: str) -> tuple[Fix, ...]:
    if item.raw != written:
        return ()
    return (Fix("Put braces around it", (Edit(Span(entry.path, item.raw_start, item.raw_end), f"{{{written}}}"),)),)


def _find_missing(entry: BibEntry, bibliography: Bibliography, __: date) -> Iterator[Spot]:
    required = _REQUIRED.get(entry.kind)
    if required is None or not entry.key or entry.body.problems:
        return
    # Most entries give everything themselves, whatever they inherit.
    if all(map(partial(_gives, entry.body), required)) or unresolved_parents(entry, bibliography):
        return
    fields = resolved_fields(entry, bibliography)
    missing = [choice for choice in required if not any(name in fields and fields[name].value for name in choice)]
    if _AUTHOR in missing and any(name in fields for name in _ORGANISATIONS):
        missing.remove(_AUTHOR)
    if not missing:
        return
    # A journal is beside the point for what stands on a server for preprints.
    if entry.kind == "article" and len(missing) == 1 and missing[0][0] == "journal" and _has_address(fields):
        return
    names = " and no ".join(" or ".join(f"`{name}`" for name in _shown(choice)) for choice in missing)
    severe = _TITLE in missing
    span = entry.key_span
    yield Spot(
        f"This @{entry.kind} has no {names}.",
        None,
        span.start,
        span.end,
        Severity.WARNING if severe else Severity.INFORMATION,
    )


def _gives(body: EntryBody, choice: tuple[str, ...]) -> bool:
    for name in choice:  # noqa: SIM110 - `any` would make a generator for each choice of each entry
        if body.value(name):
            return True
    return False


def _shown(choice: tuple[str, ...]) -> tuple[str, ...]:
    return choice if choice == _AUTHOR_OR_EDITOR else choice[:1]


def _has_address(fields: Mapping[str, BibField]) -> bool:
    return any(name in fields for name in ("archiveprefix", "url", "doi", "howpublished"))


SYNTAX_ERROR = Rule(
    "BIB001",
    "bib-syntax",
    alone=True,
    severity=Severity.WARNING,
    summary="an entry that BibTeX or biber stumbles over.",
    flags="A missing comma, a brace or quote that is never closed or closed too early, a missing key, white "
    "space in a key, text "
    "that belongs to no field.",
    matters="BibTeX drops the rest of the entry, and sometimes the next one too.",
    silent="On text between entries, on entries behind `%` or in `@comment`, and on unknown entry types.",
    examples=(
        BibExample("No comma between fields", "@misc{a, title={T}\n year=2020}", ("}",)),
        BibExample("No comma after the key", "@misc{a\n title={T}}", ("a",)),
        BibExample("A brace never closed", "@misc{a,\n title={T {x},\n year=2020\n}", ("{",)),
        BibExample("White space in the key", "@misc{a b, title={T}}", ("a b",)),
        BibExample("Never closed", "@misc{a,\n title={T}\n@misc{b, title={U}}", ("@",)),
        BibExample("Sound", "@misc{a, title={T}, year=2020,}\n%@misc{b\n@comment{@misc{c}\n}\nfree text\n@oddity{d,}"),
    ),
    find=_find_syntax,
)

REPEATED_FIELD = Rule(
    "BIB004",
    "repeated-field",
    alone=True,
    severity=Severity.WARNING,
    summary="a field that is given twice.",
    flags="The second and later fields of one name in an entry.",
    matters="BibTeX ignores them, biber takes the last: what is printed depends on the program.",
    silent="A repetition with the same value is only a hint.",
    examples=(
        BibExample("Two titles", "@misc{a, title={T}, Title={U}}", ("Title",)),
        BibExample("The same twice", "@misc{a, year=2020, year={2020}}", ("year",)),
        BibExample("Different names", "@misc{a, title={T}, booktitle={T}}"),
    ),
    find=_find_repeated,
)

UNDEFINED_STRING = Rule(
    "BIB005",
    "undefined-string",
    alone=False,
    severity=Severity.WARNING,
    summary="a bare word that no `@string` defines.",
    flags="A value (or a part of one) without braces or quotes that is neither a number nor a defined `@string` "
    "nor a month.",
    matters="BibTeX prints nothing in its place, so a journal, a month or a whole title vanishes without an error.",
    silent="On months, on the journal names of BibTeX's standard styles, and on names of the IEEE abbreviation files.",
    examples=(
        BibExample("An unknown journal", "@article{a, journal=jmlr}", ("jmlr",)),
        BibExample("A month written out", "@article{a, month=June}", ("June",)),
        BibExample("In a concatenation", '@string{x="X"}\n@misc{a, note = x # " and " # y}', ("y",)),
        BibExample("Defined", '@STRING{jmlr="JMLR"}\n@article{a, journal=JMLR, month=jun # "~1", year=2020}'),
        BibExample("Of the styles", "@article{a, journal=cacm}\n@article{b, journal=IEEE_J_AC}"),
    ),
    find=_find_undefined_string,
)

MISSING_FIELD = Rule(
    "BIB006",
    "missing-field",
    alone=True,
    severity=Severity.WARNING,
    summary="an entry without a field its type requires.",
    flags="A missing author, title, year, journal, book title, school or institution, after inheritance through "
    "`crossref` and `xdata`. "
    "A missing title is a warning, the rest information.",
    matters="The reference prints incomplete, and the work is hard to find.",
    silent="When the parent of an entry is not in the file, on types without requirements (`@misc`), on articles "
    "with an address of "
    "a preprint, and on entries with syntax errors.",
    examples=(
        BibExample("Almost everything", "@article{a, title={T}}", ("a",)),
        BibExample("No title", "@inproceedings{b, author={A}, booktitle={P}, year=2020}", ("b",)),
        BibExample("Complete", "@article{a, author={A}, title={T}, journaltitle={J}, date={2020}}\n@misc{b}"),
        BibExample(
            "Inherited",
            "@inproceedings{a, author={A}, title={T}, crossref={p}}\n@proceedings{p, title={P}, year=2020}",
        ),
        BibExample("A parent elsewhere", "@inproceedings{a, author={A}, title={T}, crossref={gone}}"),
        BibExample(
            "A preprint", "@article{a, author={A}, title={T}, year=2020, url={https://arxiv.org/abs/1706.03762}}"
        ),
    ),
    find=_find_missing,
)
