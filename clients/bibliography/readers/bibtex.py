"""BibTeX files of published records.

A reader of input that machines wrote: forgiving, linear, without places.  (The manuscript's own bibliography is read by
`analyzers.project.bibliography`, which knows exact places.)
"""

import re
from collections.abc import Iterator
from typing import IO

from analyzers.citations.record import Record
from clients.bibliography.readers.make import record_from_fields

_START = re.compile(r"@[ \t]*([A-Za-z]+)\s*[{(]")
_NAME = re.compile(r"\s*,?\s*([A-Za-z][\w:+.-]*)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}\"()]+")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_QUOTE = re.compile(r'\\.|[{}"]', re.DOTALL)
_SPACE = re.compile(r"\s+")
_MONTHS = {name: name for name in "jan feb mar apr may jun jul aug sep oct nov dec".split()}


def read(stream: IO[bytes]) -> Iterator[Record]:
    """Records of a .bib stream, UTF-8 or else Latin-1."""
    data = stream.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    for kind, key, fields in parse(text):
        record = record_from_fields(kind, key, fields)
        if record is not None:
            yield record


def parse(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(kind, key, fields) of every entry that can be read; a damaged one costs no neighbour."""
    strings = dict(_MONTHS)
    for start in _START.finditer(text):
        kind = start[1].lower()
        if kind in ("comment", "preamble"):
            continue
        if kind == "string":
            strings.update(_fields(text, start.end(), strings))
            continue
        comma = text.find(",", start.end(), start.end() + 500)
        if comma < 0:
            continue
        key = text[start.end() : comma].strip()
        if "=" in key or "\n" in key:
            continue
        yield kind, key, _fields(text, comma, strings)


def _fields(text: str, position: int, strings: dict[str, str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    while name := _NAME.match(text, position):
        position = name.end()
        parts: list[str] = []
        while True:
            part, position = _value(text, position, strings)
            parts.append(part)
            following = re.compile(r"\s*#\s*").match(text, position)
            if following is None:
                break
            position = following.end()
        fields.setdefault(name[1].lower(), _SPACE.sub(" ", "".join(parts)).strip())
    return fields


def _value(text: str, position: int, strings: dict[str, str]) -> tuple[str, int]:
    opening = text[position : position + 1]
    if opening == "{":
        depth = 0
        for token in _BRACES.finditer(text, position):
            depth += (token[0] == "{") - (token[0] == "}")
            if depth == 0:
                return text[position + 1 : token.start()], token.end()
        return "", len(text)
    if opening == '"':
        depth = 0
        for token in _QUOTE.finditer(text, position + 1):
            depth += (token[0] == "{") - (token[0] == "}")
            if depth <= 0 and token[0] == '"':
                return text[position + 1 : token.start()], token.end()
        return "", len(text)
    bare = _BARE.match(text, position)
    if bare is None:
        return "", position
    return strings.get(bare[0].lower(), bare[0] if bare[0].isdigit() else ""), bare.end()
