"""Folding of letters: what stays of a word when accents, case and spelling conventions are taken away.

CJK, Cyrillic and every other script are kept: a key that drops them would make all Chinese titles equal.
"""

import re
import unicodedata

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_ASCII_TOKEN = re.compile(r"[a-z0-9]+")
CJK = re.compile(rf"[{_CJK}]")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´‘")
_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "æ": "ae",
        "œ": "oe",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        "ħ": "h",
        "ŋ": "n",
    }
)
_SYMBOLS = str.maketrans({"√": " sqrt ", "∞": " infinity "})
# The letters outside of ASCII that a pattern takes for ASCII ones when it ignores case, apart from the Kelvin sign.
_LOOKALIKES = (("İ", "i"), ("ı", "i"), ("ſ", "s"))
_GREEK_NAMES = {
    letter: name
    for name in (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron "
        "pi rho sigma tau upsilon phi chi psi omega"
    ).split()
    for letter in (unicodedata.lookup(f"GREEK SMALL LETTER {'LAMDA' if name == 'lambda' else name.upper()}"),)
} | {"ς": "sigma", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta"}


def fold(text: str) -> str:
    """`text` without case, accents and ligatures, as one string; other characters stay.

    >>> fold("Łojasiewicz, Müßig")
    'lojasiewicz, mussig'
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    # Only Latin, Greek and Cyrillic accents go; the voicing marks of kana and the vowels of Indic scripts are letters.
    kept = "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", kept).lower().translate(_LETTERS)


def caseless(text: str) -> str:
    """`text` in lower case, letter for letter: a pattern of ASCII letters in lower case finds in it, at the same places,
    what it finds in `text` when it ignores case, and much faster.
    """
    if not text.isascii():
        for letter, meant in _LOOKALIKES:
            text = text.replace(letter, meant)
    return text.lower()


def fold_words(text: str) -> list[str]:
    """The folded words of `text`: runs of letters and digits, every CJK character a word, a lone Greek letter its name.

    >>> fold_words("Gödel's α-stable GPT-3 & C++")
    ['godels', 'alpha', 'stable', 'gpt', '3', 'and', 'cplusplus']
    """
    folded = fold(text)
    ascii_only = folded.isascii()
    if not ascii_only or "'" in folded or "`" in folded:
        folded = folded.translate(_APOSTROPHES)
    folded = folded.replace(" & ", " and ").replace("++", "plusplus").replace("c#", "csharp")
    if ascii_only:
        return _ASCII_TOKEN.findall(folded)
    found = _TOKEN.findall(folded.translate(_SYMBOLS))
    return [_GREEK_NAMES.get(word, word) for word in found]
