"""TeX and HTML markup of bibliographic values turned into plain text.

One pass of a few regular expressions, linear in the length of the value.  It covers what stands in
bibliographies (accents, special letters, protected braces, simple mathematics, HTML entities and tags), not TeX
at large.
"""

import re
import unicodedata
from functools import lru_cache
from html import unescape

_MARKUP = re.compile(r"[\\{}$&~<]|--|``|''")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9:]*(?:\s[^<>]{0,200})?/?>")
_MATH = re.compile(r"(?<!\\)\$([^$]*)\$")
_SYMBOL_ACCENT = re.compile(
    r"""\\(['"`^~=.])\s*(?:\{\s*(\\[ij](?![A-Za-z])|[^\W\d_])\s*\}|(\\[ij](?![A-Za-z])|[^\W\d_]))"""
)
_LETTER_ACCENT = re.compile(
    r"\\([Hcvkrudbt])(?:\s*\{\s*(\\[ij](?![A-Za-z])|[^\W\d_]{1,2})\s*\}|(?:\s+|(?=\\))(\\[ij](?![A-Za-z])|[^\W\d_]))"
)
_UNICODE = re.compile(r"\\unicode\s*\{\s*(\d{1,7})\s*\}")
_WORD = re.compile(r"\\([A-Za-z]+)\*?[ \t\r\n]*(?:\{\})?")
_CHARACTER = re.compile(r"\\([^A-Za-z])")
# dblp exports the mathematics of titles spelt out: {\\textdollar}{\\textbackslash}ell{\\_}1{\\textdollar}.
_SPELT_OUT = re.compile(r"\{\\text(dollar|backslash|asciicircum)\}|\\text(dollar|backslash|asciicircum)(?![A-Za-z])\s?")
_SPELT = {"dollar": "$", "backslash": "\\", "asciicircum": "^"}

_COMBINING = {
    "'": "\u0301",
    '"': "\u0308",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "H": "\u030b",
    "c": "\u0327",
    "v": "\u030c",
    "k": "\u0328",
    "r": "\u030a",
    "u": "\u0306",
    "d": "\u0323",
    "b": "\u0331",
    "t": "\u0361",
}
_LETTERS = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "i",
    "j": "j",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
    "th": "þ",
    "TH": "Þ",
    "ng": "ŋ",
    "NG": "Ŋ",
    "textcommabelow": "",
    "textquoteright": "’",
    "textquotesingle": "'",
    "textendash": "–",
    "textemdash": "—",
    "textregistered": "®",
    "texttrademark": "™",
    "textdegree": "°",
    "textasciitilde": "~",
    "textunderscore": "_",
    "ldots": "…",
    "dots": "…",
    "textgreater": ">",
    "textless": "<",
    "texttimes": "×",
    "texteuro": "€",
    "textquoteleft": "‘",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "infty": "∞",
    "ell": "ℓ",
    "surd": "√",
    "sqrt": "√",
    "times": "×",
    "cdot": "·",
    "to": "→",
    "rightarrow": "→",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "approx": "≈",
    "sim": "∼",
    "pm": "±",
    "partial": "∂",
    "nabla": "∇",
    "forall": "∀",
    "exists": "∃",
    "in": "∈",
    "log": "log",
    "exp": "exp",
    "sin": "sin",
    "cos": "cos",
    "min": "min",
    "max": "max",
    "star": "*",
    "varepsilon": "ε",
    "varphi": "φ",
    "vartheta": "θ",
    "varrho": "ρ",
    "varsigma": "ς",
}
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron "
    "pi rho sigma tau upsilon phi chi psi omega"
)
for _name in _GREEK.split():
    _greek = unicodedata.lookup(f"GREEK SMALL LETTER {'LAMDA' if _name == 'lambda' else _name.upper()}")
    _LETTERS[_name] = _greek
    _LETTERS[_name.capitalize()] = _greek.upper()
# Commands whose argument is an address or invisible, so only the argument that follows is text.
_SPACED = frozenset({"quad", "qquad", "newline", "space", "par", "and"})


@lru_cache(maxsize=16384)
def _plain(value: str) -> str:
    text = value
    if "\\text" in text:
        text = _SPELT_OUT.sub(lambda m: _SPELT[m[1] or m[2]], text)
    if "&" in text:
        text = _ENTITY.sub(lambda m: unescape(m[0]).replace("\\", ""), text)
    if "<" in text:
        text = _TAG.sub("", text)
    if "$" in text:
        text = _MATH.sub(lambda m: re.sub(r"(?<!\\)[\^_]", "", m[1]), text)
    if "\\" in text:
        text = _commands(text)
    text = text.replace("{", "").replace("}", "").replace("$", "").replace("~", " ")
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    if not text.isascii():
        text = text.replace("\ue000", "{").replace("\ue001", "}").replace("\ue002", "$").replace("\ue003", "~")
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _commands(text: str) -> str:
    text = text.replace("\\\\", " ")
    if "\\unicode" in text:
        text = _UNICODE.sub(_numbered, text)
    text = _SYMBOL_ACCENT.sub(_accented, text)
    text = _LETTER_ACCENT.sub(_accented, text)
    # What stands for letters is often all there is.
    if "\\" in text:
        text = _WORD.sub(_word, text)
        text = _CHARACTER.sub(_character, text)
    return text


def without_markup(value: str) -> bool:
    """Whether `plain_text` leaves `value` as it is but for its white space and the normal form of its letters."""
    return _MARKUP.search(value) is None


def plain_text(value: str) -> str:
    """`value` of a bibliography field (TeX or HTML markup allowed) as plain text: NFC, blanks collapsed."""
    if without_markup(value):
        return unicodedata.normalize("NFC", " ".join(value.split()))
    # Abstracts are long and seen once; only short values are worth remembering.
    return _plain(value) if len(value) <= 2000 else _plain.__wrapped__(value)


def _numbered(match: re.Match[str]) -> str:
    code = int(match[1])
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _accented(match: re.Match[str]) -> str:
    base = (match[2] or match[3]).lstrip("\\")
    return unicodedata.normalize("NFC", base[0] + _COMBINING[match[1]] + base[1:])


def _word(match: re.Match[str]) -> str:
    name = match[1]
    if name in _LETTERS:
        return _LETTERS[name]
    return " " if name in _SPACED else ""


def _character(match: re.Match[str]) -> str:
    escaped = match[1]
    if escaped in "{}$~":
        return {"{": "\ue000", "}": "\ue001", "$": "\ue002", "~": "\ue003"}[escaped]
    if escaped in "&%#_":
        return escaped
    return " " if escaped in ", ;:\t\r\n" else ""
