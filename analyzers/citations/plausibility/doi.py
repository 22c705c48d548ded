"""Rules on DOIs.  The form is that of the DOI Handbook, section 2.2: `10.registrant/suffix`."""

import re
from collections.abc import Iterator
from datetime import date

from analyzers.citations.plausibility.parts import entry_year, year_field
from analyzers.citations.plausibility.rule import (
    BibExample,
    Rule,
    Spot,
    at_part,
    at_value,
    inner_text,
    replace_value,
    whole_value,
)
from analyzers.finding import Related, Severity
from analyzers.project.bibliography import BibEntry, Bibliography
from analyzers.text.spans import Span

_FORM = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_ADDRESS = re.compile(
    r"^(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|https?://[\w.\-]+/(?=10\.\d)|doi\s*:\s*|urn:doi:)+", re.IGNORECASE
)
_URL_COMMAND = re.compile(r"^\\(?:url|doi|path|href)\s*\{(.*)\}$", re.DOTALL)
_OTHER_ADDRESS = re.compile(r"https?://(?![\w.\-]*\bdoi\b)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([_%#&$~{}])")
# Publishers whose DOIs carry the year of publication between separators.
_DATED_PREFIXES = ("10.1109/", "10.18653/", "10.1145/", "10.1007/", "10.1016/")
_YEAR = re.compile(r"(?<=[./])(19[5-9]\d|20[0-4]\d)(?=[./])")
_LONGEST_DOI = 500


def bare_doi(value: str) -> str:
    """The DOI in a `doi` field without address, prefix, TeX escapes and outer braces; the rest as written."""
    text = value.strip()
    if not text.startswith("10."):
        command = _URL_COMMAND.match(text)
        if command is not None:
            text = command[1].strip()
        while text.startswith("{") and text.endswith("}") and len(text) > 1:
            text = text[1:-1].strip()
        text = _ADDRESS.sub("", text).strip()
    return _ESCAPE.sub(r"\1", text).replace("{_}", "_") if "\\" in text or "{" in text else text


def well_formed(doi: str) -> bool:
    """Whether a bare DOI has the form `10.registrant/suffix` without white space."""
    return _FORM.fullmatch(doi) is not None


def _find_malformed(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item = entry.field("doi")
    if item is None or not item.value:
        return
    doi = bare_doi(item.value[: _LONGEST_DOI * 4])
    if well_formed(doi) and len(doi) <= _LONGEST_DOI:
        return
    shown = doi if len(doi) <= 60 else doi[:57] + "..."
    if _OTHER_ADDRESS.match(doi):
        message = f"`{shown}` is an address, not a DOI; it belongs into `url`."
        yield at_value(item, message, Severity.INFORMATION)
        return
    yield at_value(item, f"`{shown}` is not a DOI: it should read 10.NNNN/suffix without white space.")


def _find_not_bare(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item = entry.field("doi")
    if item is None or not item.literal or len(item.value) > _LONGEST_DOI:
        return
    doi = bare_doi(item.value)
    if doi == inner_text(item).strip() or not well_formed(doi):
        return
    escaped = _ESCAPE.search(item.value) is not None
    reason = "escapes characters" if escaped else "is written as an address or with a prefix"
    # Some older styles print the field as text, where an underscore needs its backslash: not a safe fix.
    fixes = replace_value(entry, item, f"Write {doi}", doi, safe=not escaped)
    yield at_value(item, f"The DOI {reason}; databases and styles expect the bare form {doi}.", None, fixes)


def _find_year(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    item, year, given = entry.field("doi"), entry_year(entry), year_field(entry)
    if item is None or year is None or given is None or len(item.value) > _LONGEST_DOI:
        return
    doi = bare_doi(item.value)
    if not doi.startswith(_DATED_PREFIXES):
        return
    years = [int(match[1]) for match in _YEAR.finditer(doi)]
    if len(years) != 1 or abs(years[0] - year) <= 1:
        return
    message = (
        f"The DOI names the year {years[0]}, but the entry says {year}. Check which of the two belongs to the work."
    )
    spot = at_part(item, str(years[0]), message)
    place = Related(Span(entry.path, *whole_value(given)), f"the entry's year, {year}")
    yield Spot(spot.message, spot.field, spot.start, spot.end, also=(place,))


MALFORMED_DOI = Rule(
    "BIB012",
    "malformed-doi",
    alone=True,
    severity=Severity.WARNING,
    summary="a `doi` that has not the form of a DOI.",
    flags="An address of another kind (as information), or a `doi` field that, without address and TeX escapes, "
    "is not `10.` and a registrant of at least four "
    "digits, a slash and "
    "a suffix without white space.",
    matters="The link leads nowhere, and nobody can look the work up.",
    silent="On empty fields, on DOIs in address form or with TeX escapes, and on SICI DOIs with `<`, `>`, `;` "
    "and parentheses.",
    examples=(
        BibExample("Only the registrant", "@misc{a, doi={10.1145}}", ("10.1145",)),
        BibExample("No number", "@misc{a, doi={https://doi.org/abc123}}", ("https://doi.org/abc123",)),
        BibExample(
            "A handle", "@misc{a, doi={http://hdl.handle.net/2065/29115}}", ("http://hdl.handle.net/2065/29115",)
        ),
        BibExample("Two in one field", "@misc{a, doi={10.1145/1, 10.1145/2}}", ("10.1145/1, 10.1145/2",)),
        BibExample("An address", "@misc{a, doi={https://doi.org/10.1162/tacl_a_00276}}"),
        BibExample("Escaped", r"@misc{a, doi={10.1162/tacl\_a\_00276}}"),
        BibExample("SICI", "@misc{a, doi={10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2}}"),
        BibExample("Upper case and empty", "@misc{a, doi={10.1609/AAAI.V36I2.20128}}\n@misc{b, doi={}}"),
    ),
    find=_find_malformed,
    fields=("doi",),
)

DOI_NOT_BARE = Rule(
    "BIB013",
    "doi-not-bare",
    alone=True,
    severity=Severity.HINT,
    summary="a DOI written as an address or with TeX escapes.",
    flags="A sound DOI that is written as `https://doi.org/...`, with `doi:` before it, in `\\url{...}`, or with "
    "`\\_` for `_`.",
    matters="Most styles put `https://doi.org/` before the field, which doubles the address; tools that look the "
    "DOI up miss it.",
    silent="On bare DOIs and on values that are no DOI at all (malformed-doi).",
    examples=(
        BibExample(
            "An address", "@misc{a, doi={https://doi.org/10.1145/3503250}}", ("https://doi.org/10.1145/3503250",)
        ),
        BibExample("Escaped", r"@misc{a, doi = {10.1162/tacl\_a\_00276}}", (r"10.1162/tacl\_a\_00276",)),
        BibExample("Bare", "@misc{a, doi={10.1162/tacl_a_00276}}"),
    ),
    find=_find_not_bare,
    fields=("doi",),
)

DOI_YEAR = Rule(
    "BIB014",
    "doi-year-differs",
    alone=True,
    severity=Severity.WARNING,
    summary="the year inside the DOI differs from the entry's year.",
    flags="A year standing alone in a DOI of IEEE, ACL, ACM, Springer or Elsevier that differs from the entry's "
    "year by more than one.",
    matters="These publishers write the year of publication into the DOI, so DOI or year belongs to another work.",
    silent="On other publishers' DOIs, on a difference of one year (online and print), and when the DOI holds "
    "several years.",
    examples=(
        BibExample("Four years apart", "@inproceedings{a, doi={10.1109/ICCV.2015.123}, year=2019}", ("2015",)),
        BibExample("Online first", "@article{a, doi={10.1109/TPAMI.2015.243}, year={2016}}"),
        BibExample("Another publisher", "@article{a, doi={10.5555/abc.2015.1}, year={2019}}"),
        BibExample("No year in it", "@article{a, doi={10.1145/3503250}, year={2022}}"),
    ),
    find=_find_year,
    fields=("doi",),
)
