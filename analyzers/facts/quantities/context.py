"""What stands around a number: the words before it without hedges and bounds, those behind it, and its name."""

import re
from dataclasses import dataclass

from analyzers.facts.quantities.lexicon import Lexicon
from analyzers.facts.quantities.model import Bound
from analyzers.facts.quantities.tokens import Token

_WINDOW = 64
_OPENING = "([{$€£¥\"'“‘|"
_CLOSING = ",.;:)]}!?\"'”’|"
_RELATION = frozenset("=<>≤≥≈∼~:⩽⩾≃≪≫")
_SIGN_BOUNDS = {"<": Bound.LESS, ">": Bound.GREATER, "≤": Bound.AT_MOST, "⩽": Bound.AT_MOST, "≥": Bound.AT_LEAST}
_SIGN_BOUNDS |= {"⩾": Bound.AT_LEAST, "≪": Bound.LESS, "≫": Bound.GREATER}
_SYMBOL = re.compile(
    r"([^\W\d_][\w²^*'’-]{0,24}(?:[ -]values?)?)\s?(?:\([^()]{0,40}\)|_\{?[\w,]{1,12}\}?)?"
    r"\s?(?:=|<|>|≤|≥|≈|∼|~|⩽|⩾|:){1,2}\s?[([$~≈∼]?\s?$"
)
# These prepositions are bounds only behind a word that asks for an amount: "averaged over 3 seeds" bounds nothing.
_PREPOSITIONS = frozenset(
    ("over", "under", "within", "until", "above", "below", "beyond", "near", "about", "up to", "max")
)
_AMOUNT_BEFORE = frozenset(
    (
        "with",
        "of",
        "by",
        "to",
        "has",
        "have",
        "had",
        "contains",
        "contain",
        "containing",
        "comprising",
        "comprises",
        "includes",
        "include",
        "including",
        "just",
        "well",
        "from",
        "are",
        "is",
        "was",
        "were",
        "reaches",
        "reach",
        "reaching",
        "achieves",
        "achieve",
        "achieving",
        "collect",
        "collected",
        "collects",
        "requires",
        "require",
        "requiring",
        "cover",
        "covers",
        "covering",
        "spans",
        "spanning",
        "for",
        "at",
        "a",
        "an",
        "and",
        "take",
        "takes",
        "took",
        "taking",
        "need",
        "needs",
        "only",
        "remains",
        "remain",
        "stays",
        "stay",
        "falls",
        "drops",
        "dropped",
        "rises",
        "than",
        "the",
        "in",
        "on",
        "that",
        "not",
        "always",
    )
)
_NOUN = re.compile(r"[ \u2009\u202f\u00a0\n]([A-Za-zÀ-ÿ][\wÀ-ÿ-]*)")
_ORDER_OF = frozenset(("over", "under", "within", "until", "above", "below", "beyond"))


@dataclass(slots=True)
class Context:
    """The surroundings of one number, in lower case; `words` are the words before it, nearest last."""

    words: list[str]
    after: list[str]
    approximate: bool = False
    bound: Bound | None = None
    negated: bool = False
    symbol: str | None = None
    parenthesis: bool = False

    def word(self, back: int) -> str:
        """The word `back` places before the number (1 is the nearest), empty when there is none."""
        return self.words[-back] if len(self.words) >= back else ""


def context(text: str, token: Token, lexicon: Lexicon) -> Context:
    """Read the surroundings of a number, in bounded time."""
    start = token.start
    window = text[max(0, start - _WINDOW) : start]
    lowered = window.lower()
    stripped = lowered.rstrip()
    found = Context(lowered.split()[-5:], _after(text, max(token.unit_end, token.end)))
    if stripped and stripped[-1] in "([":
        found.parenthesis = True
        stripped = stripped.rstrip(_OPENING + " ")
    if stripped and stripped[-1] in _RELATION:
        _relation(window, stripped, found)
    words = found.words
    while words and not words[-1].strip(_OPENING):
        words.pop()
    if words:
        words[-1] = words[-1].strip(_OPENING)
    if words and (found.bound or found.approximate or found.symbol):
        words[-1] = words[-1].rstrip("<>≤≥≈∼~=⩽⩾") or words[-1]
    if not found.parenthesis:
        _hedges(found, lexicon)
    near = words[-3:]
    if "but" in near:
        near = near[near.index("but") :]
    found.negated = any(word in lexicon.negations for word in near) or (
        bool(lexicon.cjk) and any(word in stripped[-4:] for word in lexicon.negations)
    )
    if lexicon.cjk:
        _cjk_hedges(stripped, found, lexicon)
    _bound_after(found, lexicon)
    return found


def _relation(window: str, stripped: str, found: Context) -> None:
    sign = stripped[-1]
    if sign in "~∼≈≃":
        found.approximate = True
    found.bound = _SIGN_BOUNDS.get(sign)
    if sign == "=" and stripped[-2:-1] in "<>" and len(stripped) > 1:
        found.bound = Bound.AT_MOST if stripped[-2] == "<" else Bound.AT_LEAST
    match = _SYMBOL.search(window) if sign not in ":~∼≃" else None
    if match is not None:
        found.symbol = match[1]


def _after(text: str, end: int) -> list[str]:
    return [word.strip(_CLOSING + "(") for word in text[end : end + 48].lower().split()[:4]]


def _hedges(found: Context, lexicon: Lexicon) -> None:
    """Take hedges and bounds off the end of the words: "of about", "by up to", "more than"."""
    words = found.words
    for _ in range(3):
        for length in (3, 2, 1):
            if len(words) < length:
                continue
            phrase = words[-1] if length == 1 else " ".join(words[-length:])
            phrase = phrase.lstrip(_OPENING)
            if phrase in lexicon.bounds and _is_amount(phrase, words, length):
                found.bound = found.bound or lexicon.bounds[phrase]
            elif phrase in lexicon.approximate:
                found.approximate = True
            else:
                continue
            del words[-length:]
            break
        else:
            return


def _is_amount(phrase: str, words: list[str], length: int) -> bool:
    if phrase not in _ORDER_OF:
        return True
    return len(words) == length or words[-length - 1] in _AMOUNT_BEFORE


def _cjk_hedges(stripped: str, found: Context, lexicon: Lexicon) -> None:
    tail = stripped[-5:]
    for phrase, bound in lexicon.bounds.items():
        if tail.endswith(phrase):
            found.bound = bound
    if any(tail.endswith(phrase) for phrase in lexicon.approximate):
        found.approximate = True


def _bound_after(found: Context, lexicon: Lexicon) -> None:
    if not found.after or found.bound is not None:
        return
    first = found.after[0]
    if first == "+":
        found.bound = Bound.AT_LEAST
        return
    following = " ".join(found.after[:2])
    for phrase, bound in lexicon.bound_after:
        if following == phrase or first.startswith(phrase):
            found.bound = bound


def noun_after(text: str, end: int, lexicon: Lexicon) -> str | None:
    """The thing counted behind a number: the first plural in four words, else the last one before a function word."""
    last = None
    for _ in range(4):
        match = _NOUN.match(text, end)
        if match is None or match[1].lower() in lexicon.stop_words:
            return last
        last = match[1]
        end = match.end()
        if _plural(last):
            return last
    return last


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "ous")) and len(word) > 2
