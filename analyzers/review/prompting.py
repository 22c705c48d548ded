"""Instructions from files, and fences around what others wrote.  The contract is in `prompts/README.md`."""

import re
from functools import lru_cache
from importlib.resources import files

from analyzers.review.port import Segment

VERSION = 1
_PLACE = re.compile(r"\{\{(\w+)\}\}")


@lru_cache(maxsize=64)
def _text(name: str) -> str:
    return files("analyzers.review").joinpath("prompts", f"{name}.md").read_text("utf-8")


def instruction(name: str, **values: str) -> str:
    """The instruction of a file with its places filled.  Raises KeyError for a place without a value."""
    return _PLACE.sub(lambda match: values[match[1]], _text(name)).strip()


def places_of(name: str) -> frozenset[str]:
    """The places that an instruction has."""
    return frozenset(_PLACE.findall(_text(name)))


def fenced(tag: str, text: str) -> str:
    """Text of others between tags.  Whatever looks like a tag in it loses its angle bracket, so that no text ends its fence."""
    return f"<{tag}>\n{_TAG.sub(_disarmed, text).strip()}\n</{tag}>"


# Any of our tags, whatever blanks or attributes stand in it; `<` in prose and formulas stays as it is.
_TAG = re.compile(
    r"<(?=\s*/?\s*(?:manuscript|appendix|literature|references|passage|ledger|window|pair|point|before|after|system|instructions?)\b)",
    re.IGNORECASE,
)


def _disarmed(_: re.Match[str]) -> str:
    return "‹"


def system(name: str) -> tuple[Segment, ...]:
    """The first part of a request."""
    return (Segment(instruction(name)),)
