"""Rules on author and editor lists."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice
from typing import NamedTuple

from analyzers.citations.folding import fold
from analyzers.citations.plaintext import plain_text, without_markup
from analyzers.citations.plausibility.parts import NAME_FIELDS, NamePart, name_parts, outside_braces
from analyzers.citations.plausibility.rule import (
    BibExample,
    Rule,
    Spot,
    at_value,
    holds_any,
    inner_text,
    replace_part,
)
from analyzers.finding import Related, Severity
from analyzers.fixes import Fix
from analyzers.project.bibliography import BibEntry, BibField, Bibliography, EntryBody
from analyzers.text.spans import Span

_MOST_NAMES = 5000
_LONGEST_NAME = 120
# Names are compared as lower-case words without punctuation.
_PLACEHOLDERS = re.compile(
    r"(?:john|jane|jon) (?:q )?doe|doe (?:john|jane)(?: q)?|"
    r"(?:first|given)(?: ?name)? (?:last|sur|family)(?: ?name)?(?: [a-z])?|"
    r"(?:last|sur|family)(?: ?name)? (?:first|given)(?: ?name)?(?: [a-z])?|"
    r"(?:first|last|given|family) ?name(?: [a-z])?|name surname|surname name|surname [a-z]|name ?\d|"
    r"authors? ?(?:one|two|three|four|five|\d{1,2}|[a-z]|names?|list)|[a-z] author|author ?\d [a-z]|"
    r"(?:first|second|third|fourth|lead|anonymous|unknown|another|some|other|various|multiple|several) authors?|"
    r"author (?:first|second|third|fourth|anonymous|unknown)|your name|insert authors?(?: names?)?(?: here)?|"
    r"foo (?:bar|baz)|bar foo|todo|tbd|tba|n a|xx+|author\d+|placeholder",
)
# One of these stands in every placeholder; most lists need not be looked at name by name.
_SUSPECT_WORDS = tuple("doe name author first last given family foo todo tba tbd xx ? placeholder".split())
_NOT_AVAILABLE = re.compile(r"n.a\b")
_N_A = re.compile(r"[\W_]*[Nn][\W_]+[Aa][\W_]*\Z")
_PUNCTUATION = re.compile(r"[^\w\s?]+|_")
# Names of these letters exist, so the placeholder has to be written in capitals.
_ONLY_CAPITALS = frozenset({"todo", "tbd", "tba", "n a"})
# In lower case, where the search can skip to the next "et"; what does not hold this has no "et al." either.
_MAY_BE_ET_AL = re.compile(r"et(?:\.?[\s~]{1,3})?al")
_ET_AL = re.compile(r"(?:\b[Ee][Tt]\.?[\s~]{1,3}[Aa][Ll]|\betal)\b\.?")
# What belongs to an “et al.” before it; looked for in the few characters before it only.
_LEAD = re.compile(r",?\s*(?:\band\s+)?\{*(?:\\?(?:textit|emph|em|it)\b[\s{]*)?\Z")
_LONGEST_LEAD = 60
_SUFFIX = re.compile(
    r"\s*(?:jr|sr|junior|senior|[ivx]{1,4}|[1-9](?:st|nd|rd|th)|ph\.?\s*d|m\.?\s*d|esq)\.?\s*", re.IGNORECASE
)
_INITIALS = re.compile(r"(?:[A-Z][a-z]?\.?[\s~\-]*){1,4}")
_FULL_NAME = re.compile(r"(?:[A-Z][\w.'’\-]*[\s~]+){1,4}[A-Z][\w'’\-]+")


class _List(NamedTuple):
    """The names of one field; `parts` count from the start of `text`, the value as written."""

    item: BibField
    text: str
    parts: tuple[NamePart, ...]


def _read(body: EntryBody) -> tuple[_List, ...]:
    found: list[_List] = []
    for name in NAME_FIELDS:
        position = body.index.get(name)
        if position is not None and body.fields[position].value:
            text = inner_text(body.fields[position])
            found.append(_List(body.fields[position], text, tuple(islice(name_parts(text), _MOST_NAMES))))
    return tuple(found)


def _lists(entry: BibEntry) -> Iterable[_List]:
    lists = entry.body.derived("names", _read)
    return lists if not entry.start else [names._replace(item=names.item.moved(entry.start)) for names in lists]


def _at(item: BibField, part: NamePart, message: str) -> Spot:
    return Spot(message, item.name, item.value_start + part.start, item.value_start + part.end)


def _find_placeholder(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    for names in _lists(entry):
        written = names.text.lower()
        if not holds_any(written, _SUSPECT_WORDS) and _NOT_AVAILABLE.search(written) is None:
            continue
        for part in names.parts:
            name = plain_text(part.text) if len(part.text) <= 80 else ""
            if not holds_any(name.lower(), _SUSPECT_WORDS) and _N_A.match(name) is None:
                continue
            words = " ".join(_PUNCTUATION.sub(" ", name).lower().split())
            if words in _ONLY_CAPITALS and not name.isupper():
                continue
            if _PLACEHOLDERS.fullmatch(words) or (name and not name.strip("?")):
                yield _at(names.item, part, f"`{name}` looks like a placeholder, not an author's name.")


def _find_et_al(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    for names in _lists(entry):
        item, text = names.item, names.text
        match = _ET_AL.search(text) if _MAY_BE_ET_AL.search(text.lower()) is not None else None
        if match is None:
            continue
        message = "BibTeX takes “et al.” for (part of) a name. Write `and others`, which styles print as “et al.”."
        fixes: tuple[Fix, ...] = ()
        lead = _LEAD.search(text[max(0, match.start() - _LONGEST_LEAD) : match.start()])
        before = text[: match.start() - (len(lead[0]) if lead is not None else 0)]
        at_end = not text[match.end() :].strip(" ,.}\t\r\n~")
        if at_end and before.strip() and before.count("{") == before.count("}"):
            fixes = replace_part(
                entry, item, len(before), len(text.rstrip()), "Write `and others`", " and others", True
            )
        yield Spot(message, item.name, item.value_start + match.start(), item.value_start + match.end(), fixes=fixes)


def _split_by_comma(text: str, commas: list[int]) -> list[str] | None:
    """The names of a list written with commas, in BibTeX's form; None when it is unclear what belongs together."""
    pieces = [
        text[start:end].strip()
        for start, end in zip([0, *(at + 1 for at in commas)], [*commas, len(text)], strict=True)
    ]
    pieces = [piece for piece in pieces if piece]
    if all(_FULL_NAME.fullmatch(piece) for piece in pieces):
        return pieces
    pairs = list(zip(pieces[::2], pieces[1::2], strict=False))
    if len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(given) for _, given in pairs):
        return [f"{family}, {given}" for family, given in pairs]
    return None


def _find_commas(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    for listed in _lists(entry):
        item, text = listed.item, listed.text
        semicolons = outside_braces(text, ";") if ";" in text and "&" not in text else []
        if semicolons and listed.parts and semicolons[0] < listed.parts[0].end:
            yield at_value(
                item, "Names are separated by `and`; BibTeX reads what stands between the semicolons as one name."
            )
            continue
        for part in listed.parts:
            if part.text.count(",") < 2:
                continue
            commas = outside_braces(part.text, ",")
            while commas and not part.text[commas[-1] + 1 :].strip():
                commas.pop()
            if len(commas) < 2 or _has_suffix(part.text, commas) or _ET_AL.search(part.text):
                continue
            message = "Names are separated by `and`; BibTeX reads this list with commas as a single name."
            names = _split_by_comma(part.text, commas)
            fixes: tuple[Fix, ...] = ()
            if names is not None:
                fixes = replace_part(
                    entry, item, part.start, part.end, "Separate the names by `and`", " and ".join(names)
                )
            spot = _at(item, part, message)
            yield Spot(spot.message, spot.field, spot.start, spot.end, fixes=fixes)


def _has_suffix(name: str, commas: list[int]) -> bool:
    """Whether a name with two commas is `Family, Jr, Given` or `Family, Given, Jr`."""
    if len(commas) != 2:
        return False
    middle, last = name[commas[0] + 1 : commas[1]], name[commas[1] + 1 :]
    return _SUFFIX.fullmatch(middle) is not None or _SUFFIX.fullmatch(last) is not None


def _name_keys(names: _List) -> Iterator[str]:
    """For each name what is the same for `Family, Given` and `Given Family`; empty when the given names are only
    initials, and for what is too long to be a name."""
    plain = without_markup(names.text)
    for part in names.parts:
        if len(part.text) > _LONGEST_NAME:
            yield ""
            continue
        # Folding and splitting see to white space and normal forms.
        family, comma, given = (part.text if plain else plain_text(part.text)).partition(",")
        words = fold(f"{given} {family}" if comma else family).replace(".", " ").split()
        yield " ".join(words) if len(words) > 1 and len(words[0]) > 1 else ""


def _find_twice(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    for names in _lists(entry):
        item = names.item
        if len(names.parts) < 2:
            continue
        seen: dict[str, NamePart] = {}
        for part, key in zip(names.parts, _name_keys(names), strict=True):
            if not key or key not in seen:
                seen[key] = part
                continue
            first = seen[key]
            by = item.value_start
            spot = _at(
                item,
                part,
                f"`{plain_text(part.text)}` stands twice in the list. Two people of one name are possible; check it.",
            )
            place = Related(Span(entry.path, first.start + by, first.end + by), "the same name before")
            yield Spot(spot.message, spot.field, spot.start, spot.end, also=(place,))


PLACEHOLDER_AUTHOR = Rule(
    "BIB030",
    "placeholder-author",
    alone=True,
    severity=Severity.WARNING,
    summary="an author's name that is a placeholder.",
    flags="John or Jane Doe, `Firstname Lastname`, `Author One`, `First Author`, `Anonymous Authors`, `Foo Bar`, "
    "`TODO` as a name.",
    matters="The list was never filled in, or was made up.",
    silent="On a lone `Anonymous`, which is right for old works, and on real names like Todo or Doe with another "
    "given name.",
    examples=(
        BibExample("John Doe", "@misc{a, author={Doe, John and Roe, Richard}}", ("Doe, John",)),
        BibExample(
            "Template", "@misc{a, author={Firstname Lastname and A. Author}}", ("Firstname Lastname", "A. Author")
        ),
        BibExample("Anonymous authors", "@misc{a, author={Anonymous Authors}}", ("Anonymous Authors",)),
        BibExample("Numbered", "@misc{a, author={Author One and Author Two}}", ("Author One", "Author Two")),
        BibExample(
            "Real names",
            "@misc{a, author={Todo, Yuki and Doe, Chris and {Author Services}}}\n@book{b, author={Anonymous}}",
        ),
    ),
    find=_find_placeholder,
    fields=NAME_FIELDS,
)

ET_AL_IN_AUTHORS = Rule(
    "BIB033",
    "et-al-in-authors",
    alone=True,
    severity=Severity.WARNING,
    summary="“et al.” written into an author list.",
    flags="“et al.” in `author` or `editor`.",
    matters="BibTeX prints it as somebody's name; the shortened list also hides who wrote the work.",
    silent="On `and others`, and on names that merely contain the letters.",
    examples=(
        BibExample("Behind a name", "@misc{a, author={Smith, Adam et al.}}", ("et al.",)),
        BibExample("As a name", "@misc{a, author={Smith, Adam and et al}}", ("et al",)),
        BibExample("and others", "@misc{a, author={Smith, Adam and others}}"),
        BibExample("A name", "@misc{a, author={Etal, Jo and Metal, Al}}"),
    ),
    find=_find_et_al,
    fields=NAME_FIELDS,
)

COMMA_SEPARATED_AUTHORS = Rule(
    "BIB034",
    "comma-separated-authors",
    alone=True,
    severity=Severity.WARNING,
    summary="an author list separated by commas or semicolons.",
    flags="A name in `author` or `editor` with two or more commas outside braces, or names separated by semicolons.",
    matters="BibTeX separates names by `and` only, so it prints and sorts the whole list as one strange name.",
    silent="On `Family, Jr., Given`, and on commas inside braces (corporate authors).",
    examples=(
        BibExample(
            "Given names first", "@misc{a, author={A. Smith, B. Jones, C. Brown}}", ("A. Smith, B. Jones, C. Brown",)
        ),
        BibExample("Family names first", "@misc{a, author={Smith, A., Jones, B.}}", ("Smith, A., Jones, B.",)),
        BibExample(
            "A final and",
            "@misc{a, author={A. Smith, B. Jones, C. Brown and D. White}}",
            ("A. Smith, B. Jones, C. Brown",),
        ),
        BibExample("Semicolons", "@misc{a, author={Smith, A.; Jones, B.}}", ("Smith, A.; Jones, B.",)),
        BibExample(
            "Junior", "@misc{a, author={King, Jr., Martin Luther and Smith, Adam}}\n@misc{b, author={Brown, A., III}}"
        ),
        BibExample("A corporate author", "@misc{a, author={{Institute of Things, Dept. A, Bern} and Smith, Adam}}"),
    ),
    find=_find_commas,
    fields=NAME_FIELDS,
)

SAME_AUTHOR_TWICE = Rule(
    "BIB035",
    "same-author-twice",
    alone=True,
    severity=Severity.WARNING,
    summary="a name that stands twice in one list.",
    flags="A full name that occurs twice in `author` or in `editor`, in either spelling.",
    matters="A copying slip that may have pushed another author out, or two lists that were merged.",
    silent="When the given names are only initials, which relatives and namesakes share.",
    examples=(
        BibExample("Twice", "@misc{a, author={Smith, Adam and Jones, Bo and Adam Smith}}", ("Adam Smith",)),
        BibExample("Initials", "@misc{a, author={Wang, J. and Li, B. and Wang, J.}}"),
        BibExample("Author and editor", "@misc{a, author={Smith, Adam}, editor={Smith, Adam}}"),
    ),
    find=_find_twice,
    fields=NAME_FIELDS,
)
