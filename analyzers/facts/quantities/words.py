"""Numbers written in words: "twenty-three", "two hundred", "zwölf", and Chinese numerals in front of a counter."""

import re
from decimal import Decimal
from functools import lru_cache

from analyzers.facts.quantities.lexicon import Lexicon, lexicon
from analyzers.facts.quantities.tokens import Token


@lru_cache(maxsize=8)
def _pattern(language: str) -> re.Pattern[str] | None:
    words = lexicon(language).number_words
    plain = [*words.get("ones", {}), *words.get("tens", {}), *words.get("dozen", {}), *words.get("hundred", ())]
    plain += list(words.get("scales", {}))
    if not plain:
        return None
    both = sorted({*plain, *(word.capitalize() for word in plain)}, key=lambda word: (-len(word), word))
    some = "|".join(re.escape(word) for word in both)
    small = [word for word in words.get("one", []) if word != "a"]
    follow = "|".join([some, *small])
    glue = r"(?:[-\s]|\s(?:" + ("|".join(words.get("and", [])) or "and") + r")\s)"
    return re.compile(rf"(?<![\w-])(?:(?:[Oo]ne)\s)?(?:{some})(?:{glue}(?:{follow}))*(?![\w])")


@lru_cache(maxsize=8)
def number_words(language: str) -> frozenset[str]:
    """The words in lower case of which one stands in every number that `word_tokens` finds; none for a language without cues."""
    words = lexicon(language).number_words
    phrases = [*words.get("ones", {}), *words.get("tens", {}), *words.get("dozen", {}), *words.get("hundred", ())]
    phrases += words.get("scales", {})
    return frozenset(max(re.findall(r"\w+", phrase.lower()), key=len) for phrase in phrases)


@lru_cache(maxsize=2)
def _cjk_pattern(language: str) -> re.Pattern[str] | None:
    cjk = lexicon(language).cjk
    if "cjk_digits" not in cjk:
        return None
    signs = "".join(cjk["cjk_digits"]) + "".join(cjk["cjk_scales"])
    counters = "|".join(sorted(cjk["classifiers"], key=len, reverse=True))
    return re.compile(rf"百分之([{signs}]+)|(?<!第)([{signs}]{{1,12}})(?:{counters})")


def word_tokens(text: str, language: str, spelled: bool = True) -> list[Token]:
    """Spelled-out numbers in order.  A lone "one" is left out: it is a pronoun more often than a number.

    `spelled` is False when it is known that none of `number_words` stands in the text.
    """
    lex = lexicon(language)
    found: list[Token] = []
    pattern = _pattern(language) if spelled else None
    if pattern is not None:
        for match in pattern.finditer(text):
            token = _from_words(match, lex)
            if token is not None:
                found.append(token)
    cjk = _cjk_pattern(language)
    if cjk is not None:
        for match in cjk.finditer(text):
            group = 1 if match[1] else 2
            value = _cjk_value(match[group], lex)
            if value is not None:
                found.append(Token(match.start(group), match.end(group), Decimal(value), 0, "word"))
                found[-1].unit_start = found[-1].unit_end = match.end(group)
    return found


def _from_words(match: re.Match[str], lex: Lexicon) -> Token | None:
    parts = [(part[0].lower(), part.end()) for part in re.finditer(r"[^\W_]+", match[0])]
    value, used = _value(parts, lex)
    if value is None or not used:
        return None
    end = match.start() + used
    token = Token(match.start(), end, Decimal(value), 0, "word")
    token.unit_start = token.unit_end = end
    return token


def _value(parts: list[tuple[str, int]], lex: Lexicon) -> tuple[int | None, int]:
    """The value of a sequence of number words and how far it reaches; stops where the words no longer add up."""
    words = lex.number_words
    ones, tens = words.get("ones", {}), words.get("tens", {})
    hundred, ands = set(words.get("hundred", ())), set(words.get("and", ()))
    scales = {word.lower(): size for word, size in words.get("scales", {}).items()}
    dozen = {word.lower(): size for word, size in words.get("dozen", {}).items()}
    total = current = 0
    reach = 0
    last = "start"
    for word, end in parts:
        if word in ands:
            if last not in ("hundred", "scale"):
                break
            continue
        if word in ones or word == "one":
            size = ones.get(word, 1)
            if last == "ones" or (last == "tens" and size >= 10):
                break
            current += size
            last = "ones"
        elif word in tens:
            if last in ("ones", "tens"):
                break
            current += tens[word]
            last = "tens"
        elif word in hundred:
            if last not in ("ones", "tens"):
                break
            current *= 100
            last = "hundred"
        elif word in scales or word in dozen:
            if last == "start":
                if word not in dozen:
                    break
                current = 1
            factor = dozen[word] if word in dozen else 10 ** scales[word]
            total += current * factor
            current = 0
            last = "scale"
        else:
            break
        reach = end
        value = total + current
    if not reach or (value == 1):
        return None, 0
    return value, reach


def _cjk_value(signs: str, lex: Lexicon) -> int | None:
    digits: dict[str, int] = lex.cjk["cjk_digits"]
    scales: dict[str, int] = lex.cjk["cjk_scales"]
    total = section = current = 0
    for sign in signs:
        if sign in digits:
            current = digits[sign]
        elif scales[sign] >= 4:
            total += (section + current) * 10 ** scales[sign]
            section = current = 0
        else:
            section += max(current, 1) * 10 ** scales[sign]
            current = 0
    value = total + section + current
    return value if value > 1 else None
