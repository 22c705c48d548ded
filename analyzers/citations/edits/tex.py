"""Plain text of records as the source of a BibTeX value."""

import re
import unicodedata

from analyzers.citations.plaintext import plain_text

_SPECIAL = {"&": "\\&", "%": "\\%", "#": "\\#", "_": "\\_", "$": "\\$", "{": "\\textbraceleft{}", "}": "\\textbraceright{}", "~": "\\textasciitilde{}",
            "\\": "\\textbackslash{}", "^": "\\textasciicircum{}"}  # fmt: skip
_ACCENTS = {"\u0301": "'", "\u0308": '"', "\u0300": "`", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0307": ".", "\u030b": "H",
            "\u0327": "c", "\u030c": "v", "\u0328": "k", "\u030a": "r", "\u0306": "u", "\u0323": "d", "\u0331": "b"}  # fmt: skip
_LETTERS = {"ß": "{\\ss}", "ø": "{\\o}", "Ø": "{\\O}", "ł": "{\\l}", "Ł": "{\\L}", "æ": "{\\ae}", "Æ": "{\\AE}", "œ": "{\\oe}",
            "Œ": "{\\OE}", "å": "{\\aa}", "Å": "{\\AA}", "đ": "{\\dj}", "Đ": "{\\DJ}", "ı": "{\\i}", "–": "--", "—": "---",
            "“": "``", "”": "''", "‘": "`", "’": "'"}  # fmt: skip
_CAPITALS_INSIDE = re.compile(r"[A-Za-z0-9]*[a-z0-9][A-Z][\w-]*|[A-Z]{2,}[\w-]*|[A-Z]\d[\w-]*")
_PROTECTED = re.compile(r"(?<![\\{])\{([^\\{}]{1,60})\}")
_WORD = re.compile(r"(?:\\.|[^\W_])(?:[\w'’+\-]|\\[%&#$_{}])*")
_HOMONYM = re.compile(r"\s+\d{4}$")


def tex_text(text: str, ascii_only: bool = False) -> str:
    """`text` with the characters escaped that TeX reads as commands; accents as TeX writes them when `ascii_only`."""
    escaped = "".join(_SPECIAL.get(character, character) for character in " ".join(text.split()))
    return _without_accents(escaped) if ascii_only and not escaped.isascii() else escaped


def _without_accents(text: str) -> str:
    written: list[str] = []
    for character in text:
        if character.isascii():
            written.append(character)
            continue
        if character in _LETTERS:
            written.append(_LETTERS[character])
            continue
        decomposed = unicodedata.normalize("NFD", character)
        base, marks = decomposed[0], decomposed[1:]
        if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii():
            accent = _ACCENTS[marks[0]]
            bare = f"\\{base}" if base in "ij" and accent not in "ckdb" else base
            written.append(
                f"{{\\{accent}{{{bare}}}}}" if accent.isalpha() or len(bare) > 1 else f"{{\\{accent}{bare}}}"
            )
        else:
            written.append(character)  # no TeX name is known, so the letter stays
    return "".join(written)


def tex_title(title: str, before: str = "", ascii_only: bool = False) -> str:
    """A title with the words braced that styles would lower-case: those with inner capitals, and those braced in `before`.

    A title that was braced as a whole stays so.
    """
    stripped = before.strip()
    if _braced_whole(stripped):
        return f"{{{tex_text(title, ascii_only)}}}"
    kept = {match[1] for match in _PROTECTED.finditer(before)}

    def protect(match: re.Match[str]) -> str:
        word = match[0]
        if _CAPITALS_INSIDE.fullmatch(word) or word in kept:
            return f"{{{word}}}"
        if word[:1] in kept and word[:1].isupper():
            return f"{{{word[0]}}}{word[1:]}"
        return word

    written = _WORD.sub(protect, tex_text(title))
    return _without_accents(written) if ascii_only and not written.isascii() else written


def _braced_whole(value: str) -> bool:
    if not (value.startswith("{") and value.endswith("}")):
        return False
    depth = 0
    for position, character in enumerate(value):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return position == len(value) - 1
    return False


def tex_names(names: tuple[str, ...], ascii_only: bool = False) -> str:
    """An author list; a name in braces is one unit and stays so, the numbers that tell namesakes apart go."""
    written = []
    for name in names:
        bare = _HOMONYM.sub("", name.strip())
        unit = bare.startswith("{") and bare.endswith("}")
        text = tex_text(bare[1:-1] if unit else bare, ascii_only)
        written.append(f"{{{text}}}" if unit or re.search(r"\band\b", text) else text)
    return " and ".join(filter(None, written))


def tex_pages(pages: str) -> str:
    """Page ranges with the dash that BibTeX expects."""
    return re.sub(r"(?<=\w)\s*[-–—]+\s*(?=\w)", "--", tex_text(pages.replace("–", "-").replace("—", "-")))


def reads_as(source: str, text: str) -> bool:
    """Whether the source of a value already prints as `text`."""
    return plain_text(source) == " ".join(text.split())
