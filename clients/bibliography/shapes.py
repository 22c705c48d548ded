"""Small conversions from the services' values to the vocabulary of `Record`.

All of them accept any value: services send null, numbers and lists where one expects text.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from analyzers.citations.record import Record, normal_arxiv_id, normal_doi

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_NOTICE = re.compile(
    r"^\s*\[?\s*(retracted|withdrawn|removed)(?:\s+(?:article|paper|chapter))?\s*\]?\s*[:.\-–—]\s*", re.IGNORECASE
)
_ARXIV_DOI = "10.48550/arxiv."
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can do does for from has have how in into is it its not of on or our the their this "
        "to toward towards using via we what when which why will with without you your",
    )
)


def mapping(value: Any) -> dict[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def mappings(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a list."""
    return (item for item in items(value) if isinstance(item, dict))


def text(value: Any) -> str:
    """A string (or the first of a list of strings) without mark-up, entities and runs of blanks."""
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, str) and item.strip()), "")
    if not isinstance(value, str):
        return ""
    # Some deposits are escaped twice ("&amp;lt;b&amp;gt;").
    plain = _TAG.sub("", html.unescape(html.unescape(value)))
    return " ".join(plain.split())


def year(value: Any) -> int | None:
    """A year from a number or from text that begins with one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        found = re.match(r"\s*(\d{4})(?!\d)", value)
        value = int(found[1]) if found else None
    return value if isinstance(value, int) and 1000 <= value <= 2200 else None


def other_years(first: int | None, values: Iterable[int | None]) -> tuple[int, ...]:
    """Further recorded years, each once, without the first."""
    return tuple(sorted({value for value in values if value is not None and value != first}))


def name(family: Any, given: Any = "", suffix: Any = "") -> str:
    """A personal name as BibTeX writes it; "" when there is none."""
    parts = [_name_part(family), _name_part(suffix), _name_part(given)]
    if not parts[0]:
        return parts[2]
    return ", ".join(part for part in parts if part) if parts[2] else parts[0]


def corporate(value: Any) -> str:
    """The name of a group: one unit, hence in braces."""
    plain = _name_part(value)
    return f"{{{plain}}}" if plain else ""


def display_name(value: Any) -> str:
    """A name printed whole ("Given Family"), without the homonym number that dblp appends."""
    plain = re.sub(r"[{}]", "", text(value))
    return re.sub(r"\s+\d{4}$", "", plain).strip(" ,")


def _name_part(value: Any) -> str:
    return re.sub(r"[{},]", " ", text(value)).strip() if value else ""


def names(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(value for value in values if value)


def split_notice(title: str) -> tuple[str, tuple[str, ...]]:
    """The title without "RETRACTED:" or "WITHDRAWN:" before it, and the flag that this gives."""
    found = _NOTICE.match(title)
    if found is None:
        return title, ()
    rest = title[found.end() :]
    flag = "retracted" if found[1].lower() == "retracted" else "withdrawn"
    return (rest, (flag,)) if rest else (title, ())


def doi_and_arxiv(value: Any) -> tuple[str, str]:
    """(DOI of a publisher, arXiv id): arXiv's own DOIs stand for the arXiv id, as in entries."""
    doi = normal_doi(value) if isinstance(value, str) else ""
    if doi.startswith(_ARXIV_DOI):
        return "", normal_arxiv_id(doi.removeprefix(_ARXIV_DOI))
    return doi, ""


def unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))


def words(title: str, shortest: int = 1) -> list[str]:
    """The words of a title in lower case, split at everything that is no letter or digit."""
    folded = unicodedata.normalize("NFKC", title).lower()
    return [word for word in re.findall(r"[^\W_]+", folded) if len(word) >= shortest]


def search_words(title: str, most: int) -> list[str]:
    """The telling words of a title (no articles, prepositions, pronouns), each once, the longest `most` in order."""
    candidates = list(dict.fromkeys(word for word in words(title) if word not in _STOP_WORDS and len(word) > 1))
    kept = set(sorted(candidates, key=len, reverse=True)[:most])
    return [word for word in candidates if word in kept]


def word_groups(title: str, most: int = 8) -> list[list[str]]:
    """The telling words of a title in one group, or in two when there are enough of them.

    Services that demand all words of a search miss a title with one word changed; one of two groups still finds it.
    """
    chosen = search_words(title, most)
    return [chosen[::2], chosen[1::2]] if len(chosen) >= 6 else [chosen] if chosen else []


def any_group(title: str, form: str = "{}", most: int = 8) -> str:
    """The groups as a search of the kind `(a AND b) OR (c AND d)`, each word put into `form`."""
    groups = (" AND ".join(form.format(word) for word in group) for group in word_groups(title, most))
    return " OR ".join(f"({group})" for group in groups)


def by_closeness(title: str, records: Iterable[Record], most: int = 10) -> tuple[Record, ...]:
    """The records whose titles share most words with `title`, best first; for services that do not rank."""
    return tuple(sorted(records, key=lambda record: likeness(title, record.title), reverse=True)[:most])


def likeness(left: str, right: str) -> float:
    """The share of common words of two titles (Dice's coefficient), 0 to 1."""
    first, second = set(words(left)), set(words(right))
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 0.0
