"""Words of a text found by cutting at blanks, which takes half the time of an expression and gives the same words."""

import re

from analyzers.text.prose_model import PLACEHOLDERS

_WORD = re.compile(r"\w+")
# Every ASCII character that is part of no word becomes a blank.
_ASCII = "".join(chr(code) if _WORD.match(chr(code)) else " " for code in range(128))
# What most often keeps prose from being ASCII, and is part of no word.
_SIGNS = (*PLACEHOLDERS, "–", "—", "“", "”", "’", "‘", "\u00a0", "\u202f", "…", "×", "≤", "≥", "→", "−", "±")


def blanked(text: str) -> str | None:
    """The text at the same length with a blank for every character that is part of no word; None when letters beyond ASCII remain."""
    if not text.isascii():
        for sign in _SIGNS:
            text = text.replace(sign, " ")
        if not text.isascii():
            return None
    return text.translate(_ASCII)


def split_words(text: str) -> list[str]:
    r"""The words (`\w+`) of a text in order."""
    plain = blanked(text)
    return _WORD.findall(text) if plain is None else plain.split()
