"""Every number of a text as a typed quantity: the composition of the passes of this package."""

import re
from decimal import Decimal

from analyzers.facts.quantities import compounds
from analyzers.facts.quantities.context import Context, context, noun_after
from analyzers.facts.quantities.kinds import is_day, is_named, is_year, kind_of, scale_word
from analyzers.facts.quantities.lexicon import Lexicon, lexicon
from analyzers.facts.quantities.literals import number, significant_decimals
from analyzers.facts.quantities.model import Kind, Number, Quantity
from analyzers.facts.quantities.tokens import Token, is_address, tokens
from analyzers.facts.quantities.units import unit_at, unit_table
from analyzers.facts.quantities.words import word_tokens

_LIST_GAP = re.compile(r"\s?(?:,|;|–|-|/)?\s?(?:and|or|to|und|bis|&)?\s?\(?")
_RATIO_WORD = re.compile(r"[A-Za-z]{5,11}")


def quantities(text: str, language: str = "en", spelled: bool = True) -> tuple[Quantity, ...]:
    """Every number of a prose text, in order, with offsets into `text`.

    `text` is prose in which LaTeX is already resolved (see `analyzers.text.prose`); `language` chooses the cue words
    ("en", "de", "zh"; others only know digits).  Years, names such as "Table 4" or "ResNet-50" and version numbers are
    there too, as kinds `year` and `identifier`.  Never raises; linear in the text.  Who knows that none of the language's
    `number_words` stands in the text says so by `spelled`.
    """
    lex = lexicon(language)
    found = tokens(text, lex)
    words = word_tokens(text, language, spelled)
    if words:
        words += _ratio_tokens(text, lex)
        found = sorted((*found, *words), key=lambda token: token.start)
    elif "twice" in text or "doubl" in text or "half" in text or "doppel" in text:
        found = sorted((*found, *_ratio_tokens(text, lex)), key=lambda token: token.start)
    return _assemble(text, [token for token in found if token.end > token.start], lex)


def _ratio_tokens(text: str, lex: Lexicon) -> list[Token]:
    """Factors and halves in one word: twice, doubled, half."""
    words = {**lex.ratio_words, **lex.share_words}
    if not words:
        return []
    pattern = re.compile(r"(?<![\w-])(?:" + "|".join(words) + r")(?![\w-])")
    made = []
    for match in pattern.finditer(text):
        form = "ratio" if match[0] in lex.ratio_words else "half"
        value = Decimal(words[match[0]])
        made.append(Token(match.start(), match.end(), value, 0 if value >= 1 else 1, form))
        made[-1].unit_start = made[-1].unit_end = match.end()
    return made


def _assemble(text: str, found: list[Token], lex: Lexicon) -> tuple[Quantity, ...]:
    made: list[Quantity] = []
    index = 0
    listing = False
    end = 0
    while index < len(found):
        token = found[index]
        if token.start < end:
            index += 1
            continue
        _scale(token, text, lex)
        around = context(text, token, lex)
        named = _is_identifier(text, token, around, lex)
        if named or (listing and made and _continues(text, made[-1], token)):
            listing = (named and token.form == "plain") or listing
            made.append(_plain(text, token, around, Kind.IDENTIFIER, lex))
            index, end = index + 1, token.end
            continue
        listing = False
        following = found[index + 1] if index + 1 < len(found) else None
        if following is not None:
            _scale(following, text, lex)
            joined = compounds.join(text, token, following, around, lex)
            if joined is not None:
                made.append(joined)
                end = max(joined.end, following.end)
                index += 2
                continue
        made.append(_single(text, token, following, around, lex=lex, made=made))
        last = made[-1]
        end = max(token.end, last.spread.end if last.spread is not None else 0)
        index += 1
    return tuple(made)


def _is_identifier(text: str, token: Token, around: Context, lex: Lexicon) -> bool:
    if token.form == "identifier":
        return not compounds.is_degrees_of_freedom(text, token)
    return is_named(text, token, around, lex) or is_address(text, token)


def _continues(text: str, previous: Quantity, token: Token) -> bool:
    """True for the 4 of "Tables 2, 3 and 4"."""
    if token.form != "plain" or token.unit is not None or token.start - previous.end > 8:
        return False
    gap = text[previous.end : token.start]
    return _LIST_GAP.fullmatch(gap) is not None and gap.strip() != ""


def _scale(token: Token, text: str, lex: Lexicon) -> None:
    """Take in the "million" of "5.2 million"."""
    scale = scale_word(token, text, lex)
    if scale is None:
        return
    size, end = scale
    token.value = token.value.scaleb(size)
    token.decimals -= size
    token.end = token.unit_start = token.unit_end = end
    unit = unit_at(text, end)
    if unit is not None:
        token.unit, token.unit_start, token.unit_end = unit


def _single(
    text: str, token: Token, following: Token | None, around: Context, *, lex: Lexicon, made: list[Quantity]
) -> Quantity:
    """A number that stands alone, perhaps with its spread behind it."""
    if is_year(token, around, text, lex) or compounds.ends_year_range(text, token, made):
        return _plain(text, token, around, Kind.YEAR, lex)
    if is_day(token, around, lex):
        return _plain(text, token, around, Kind.IDENTIFIER, lex)
    if token.form == "half":
        return _plain(text, token, around, Kind.SHARE, lex)
    if compounds.is_confidence_level(text, token, lex):
        return _plain(text, token, around, Kind.IDENTIFIER, lex)
    kind, symbol = kind_of(text, token, around, lex)
    if compounds.continues_degrees_of_freedom(text, token, made):
        kind, symbol = Kind.STATISTIC, "df"
    around.symbol = symbol
    quantity = _plain(text, token, around, kind, lex)
    spread = compounds.spread_after(text, token, following)
    if spread is None:
        return quantity
    return compounds.with_spread(quantity, spread)


def _plain(text: str, token: Token, around: Context, kind: Kind, lex: Lexicon) -> Quantity:
    """The quantity of one token."""
    decimals = token.decimals
    literal = number(token.start, token.end, token.value, decimals)
    noun = token.noun
    if kind is Kind.LEVEL or kind is Kind.COUNT:
        countable = token.unit is None and token.form in ("plain", "word", "dimension") and not token.money
        if countable and token.value == token.value.to_integral_value() and around.symbol is None and noun is None:
            noun = noun_after(text, token.end, lex)
        if countable and kind is Kind.LEVEL and (noun is not None or token.form == "word"):
            scale = noun in ("point", "points", "item", "star")
            kind = Kind.IDENTIFIER if scale and token.form == "dimension" else Kind.COUNT
        if token.form == "fold":
            noun = "fold"
        if kind is Kind.LEVEL and _is_size(token, around):
            kind = Kind.COUNT
    if around.approximate and kind is not Kind.IDENTIFIER:
        wide = number(token.start, token.end, token.value, significant_decimals(token.value, decimals))
        literal = Number(token.start, token.end, token.value, decimals, wide.lower, wide.upper)
    unit, unit_start, unit_end = token.unit, token.unit_start or token.end, token.unit_end or token.end
    if unit is None and token.money and token.start:
        unit = unit_table().forms.get(text[token.start - 1])
        unit_start, unit_end = token.start - 1, token.start
    spread = number(*token.spread) if token.spread is not None else None
    return Quantity(
        token.start,
        token.end,
        text[token.start : token.end],
        token.value,
        decimals,
        literal.lower,
        literal.upper,
        kind,
        unit,
        unit_start,
        unit_end,
        around.approximate,
        around.bound,
        around.negated,
        spread,
        symbol=around.symbol,
        noun=noun,
    )


def _is_size(token: Token, around: Context) -> bool:
    """ "a total of 267", "267 of them"."""
    return (
        token.decimals == 0 and token.unit is None and around.word(1) == "of" and around.word(2) in ("total", "number")
    )
