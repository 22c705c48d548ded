"""Rules on citation keys: the same key twice, keys that differ only in case."""

from collections.abc import Iterator
from datetime import date

from analyzers.citations.plausibility.rule import BibExample, Rule, Spot
from analyzers.finding import Related, Severity
from analyzers.fixes import Edit, Fix
from analyzers.project.bibliography import BibEntry, Bibliography
from analyzers.text.spans import Span


def _find_duplicate(entry: BibEntry, bibliography: Bibliography, _: date) -> Iterator[Spot]:
    first = bibliography.by_key.get(entry.key)
    if first is None or (first.path, first.start) == (entry.path, entry.start):
        return
    same = _values(first) == _values(entry)
    place = Related(first.key_span, "the first entry with this key, which BibTeX uses")
    message = f"The key `{entry.key}` is defined twice" + (
        ", by equal entries." if same else ", and the entries differ."
    )
    yield Spot(
        message,
        None,
        entry.key_start,
        entry.key_end,
        fixes=_removal(entry, bibliography) if same else (),
        also=(place,),
    )


def _values(entry: BibEntry) -> tuple[str, dict[str, str]]:
    return entry.kind, {item.name: item.value for item in entry.body.fields}


def _removal(entry: BibEntry, bibliography: Bibliography) -> tuple[Fix, ...]:
    """Removing the entry with the line end behind it; only where the text around it is known."""
    if bibliography.path != entry.path:
        return (Fix("Remove this copy", (Edit(Span(entry.path, entry.start, entry.end), ""),)),)
    end = entry.end
    if bibliography.text.startswith("\r\n", end):
        end += 2
    elif bibliography.text.startswith("\n", end):
        end += 1
    return (Fix("Remove this copy", (Edit(Span(entry.path, entry.start, end), ""),)),)


def _find_case(entry: BibEntry, bibliography: Bibliography, _: date) -> Iterator[Spot]:
    group = bibliography.by_folded_key.get(entry.key.casefold(), ())
    if len(group) < 2 or group[0].key == entry.key:
        return
    other = group[0]
    message = f"The keys `{other.key}` and `{entry.key}` differ only in case: BibTeX takes them for one, biber for two."
    place = Related(other.key_span, f"the key `{other.key}`")
    yield Spot(message, None, entry.key_start, entry.key_end, also=(place,))


def _shared_keys(bibliography: Bibliography) -> frozenset[tuple[str, int]]:
    firsts: dict[str, BibEntry] = {}
    shared: set[tuple[str, int]] = set()
    for entry in bibliography.entries:
        if entry.key and firsts.setdefault(entry.body.folded_key, entry) is not entry:
            shared.add((entry.path, entry.start))
    return frozenset(shared)


def _suspects(bibliography: Bibliography) -> frozenset[tuple[str, int]]:
    return bibliography.derived("shared keys", _shared_keys)


DUPLICATE_KEY = Rule(
    "BIB002",
    "duplicate-key",
    alone=False,
    severity=Severity.WARNING,
    summary="two entries with the same key.",
    flags="Every entry whose key an earlier entry has.",
    matters="BibTeX uses the first and reports an error, other programs use the last: readers may be sent to the "
    "wrong work.",
    silent="On entries behind `%` or in `@comment`, and on entries without a key.",
    examples=(
        BibExample("Twice", "@misc{a, title={T}}\n@misc{ a, title={U}}", ("a",)),
        BibExample("Different keys", "@misc{a, title={T}}\n@misc{b, title={T}}\n%@misc{a,}"),
    ),
    find=_find_duplicate,
    suspects=_suspects,
)

KEY_CASE = Rule(
    "BIB003",
    "key-differs-in-case",
    alone=False,
    severity=Severity.INFORMATION,
    summary="two keys that differ only in case.",
    flags="Every entry whose key equals an earlier one but for upper and lower case.",
    matters="BibTeX folds case and stops at the second entry; biber keeps both, and a slip in a citation then "
    "picks the wrong one.",
    silent="On equal keys (duplicate-key).",
    examples=(
        BibExample("Only case", "@misc{Smith20, title={T}}\n@misc{smith20, title={U}}", ("smith20",)),
        BibExample("Different keys", "@misc{smith20, title={T}}\n@misc{smith21, title={U}}"),
    ),
    find=_find_case,
    suspects=_suspects,
)
