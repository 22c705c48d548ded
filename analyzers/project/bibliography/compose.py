"""An entry made from fields instead of read from text: for benchmarks and records, whose values may hold lone braces."""

from collections.abc import Mapping

from analyzers.project.bibliography.entries import BibEntry, BibField, Bibliography, EntryBody
from analyzers.project.bibliography.values import fold


def compose_entry(kind: str, key: str, fields: Mapping[str, str], path: str = "") -> BibEntry:
    """The entry with these raw values, one field a line, as if it stood alone in file `path`; it never has syntax problems.

    `fields` maps names in any case to values without delimiters; of names that differ only in case the first counts.
    """
    head = f"@{kind.lower()}{{"
    source = f"{head}{key},\n"
    found: list[BibField] = []
    index: dict[str, int] = {}
    for given, value in fields.items():
        name = given.strip().lower()
        if not name or name in index:
            continue
        start = len(source) + 2
        raw_start = start + len(name) + 3
        raw = f"{{{value}}}"
        raw_end = raw_start + len(raw)
        index[name] = len(found)
        found.append(
            BibField(name, start, start + len(name), raw_start, raw_end, raw_start + 1, raw_end - 1, raw, fold(value))
        )
        source += f"  {name} = {raw},\n"
    source += "}"
    body = EntryBody(kind.lower(), key, len(head), len(head) + len(key), source, tuple(found), index=index)
    return BibEntry(path, 0, body)


def compose_bibliography(entry: BibEntry) -> Bibliography:
    """The file that holds just this composed entry."""
    return Bibliography(entry.path, entry.source, (entry,), {})
