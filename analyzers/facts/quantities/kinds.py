"""From a number and its surroundings to its kind."""

import json
import re
from functools import lru_cache
from importlib.resources import files

from analyzers.facts.quantities.context import Context
from analyzers.facts.quantities.lexicon import Lexicon
from analyzers.facts.quantities.model import Kind
from analyzers.facts.quantities.tokens import Token

_STATISTIC_OPEN = re.compile(r"(?<![A-Za-z])(?:[tTzZFrRQUHWBdχ](?:²|\^?2|\^\{2\})?)\s?\($")
_PROBABILITIES = frozenset(("p", "p-value", "p-values", "p value", "p values", "pvalue", "padj", "p-wert"))
_SIZES = frozenset(("n", "#"))
_NOT_STATISTICS = frozenset(("mean", "m", "median"))
_SIDES = frozenset(("above", "below", "over", "under", "than", "more", "less", "fewer", "up", "down"))
_COMPARED = frozenset(("higher", "lower", "better", "worse", "faster", "slower", "höher", "niedriger", "besser"))
_P_BEHIND = re.compile(r"\s?[,;(]{1,2}\s?[pP]\s?[=<>≤]")
# "(1) the first part": a number in brackets of its own, with words behind it, counts parts of the text.
_LABEL_NUMBER = re.compile(r"[(（]\d{1,2}[)）](?=\s?[^\W\d_])")
_NAME = re.compile(r"(?:^|([\s\S]))(?<![\w.])([A-Z][\w.-]*) $")


@lru_cache(maxsize=1)
def _metric_names() -> frozenset[str]:
    data = json.loads(files("analyzers.facts.data").joinpath("headers.json").read_text("utf-8"))
    return frozenset((*data["higher"], *data["lower"]))


def is_named(text: str, token: Token, around: Context, lexicon: Lexicon) -> bool:
    """True for numbers that only number or name something: Section 3.2, Llama 2, Eq. (3)."""
    if token.unit is not None or token.money or token.form in ("word", "power", "signed", "ratio"):
        return False
    nearest = around.word(1)
    if nearest and (nearest in lexicon.identifier_before or nearest.lstrip("(") in lexicon.identifier_before):
        return token.form != "dimension" and around.symbol is None
    if lexicon.cjk and text[max(0, token.start - 6) : token.start].rstrip().endswith(tuple(lexicon.identifier_before)):
        return True
    if _LABEL_NUMBER.match(text, token.start - 1 if token.start else 0) is not None and token.end - token.start <= 2:
        return token.start < 2 or not text[token.start - 2].isalnum()
    written = text[token.start : token.end]
    if token.decimals == 0 and written.isdigit() and (len(written) >= 8 or (written[0] == "0" and len(written) > 1)):
        return True
    dotted = nearest.rpartition(".")[0] + "." if "." in nearest else ""
    if dotted and dotted in lexicon.identifier_before and nearest.endswith("."):
        return True
    if token.form == "plain" and token.end - token.start == 4 and 1950 <= token.value <= 2040:
        event = _NAME.search(text, max(0, token.start - 30), token.start)
        return event is not None and len(event[2]) > 2 and event[2].isupper()
    if token.form != "plain" or not (
        (token.decimals == 0 and token.value <= 999) or (token.decimals == 1 and token.value < 20)
    ):
        return False
    match = _NAME.search(text, max(0, token.start - 30), token.start)
    if match is None or len(match[2]) < 2:
        return False
    name = match[2].rstrip(".")
    if name.lower() in lexicon.starters or name.lower() in _metric_names() or name.lower() in lexicon.months:
        return False
    if sum(character.isupper() or character.isdigit() for character in name) >= 2:
        return True
    before = text[max(0, match.start(2) - 2) : match.start(2)]
    return before[:1] not in ("", ".", "!", "?", "\n", ":") and before[-1:] == " " and name.isalpha()


def is_year(token: Token, around: Context, text: str, lexicon: Lexicon) -> bool:
    """True for calendar years: four digits between 1800 and 2099 in a place where a year is usual."""
    if token.form == "year":
        return True
    if token.decimals or token.unit is not None or token.end - token.start != 4 or token.form != "plain":
        return False
    if not 1800 <= token.value <= 2099:
        return False
    nearest = around.word(1).rstrip(",")
    if nearest in lexicon.months or nearest in lexicon.year_strong:
        return True
    if _day_of_month(around, lexicon):
        return True
    following = text[token.end : token.end + 2]
    if nearest in lexicon.year_before and token.value <= 2040:
        word = around.after[0] if around.after else ""
        if following[1:2].isupper():
            return True
        return not word.isalpha() or word in lexicon.stop_words or following[:1] in ",.;)" or following[:1] == "年"
    if following[:1] == "年":
        return True
    if following[:1] in ")," and around.parenthesis and token.value >= 1900:
        return True
    return following[:1] == ")" and nearest != "" and around.words[-1].endswith(",") and token.value >= 1900


def _day_of_month(around: Context, lexicon: Lexicon) -> bool:
    day = around.word(1).rstrip(",.")
    return day.isdecimal() and len(day) <= 2 and around.word(2) in lexicon.months


def is_day(token: Token, around: Context, lexicon: Lexicon) -> bool:
    """The day in "12 March 2024" or "March 12, 2024"."""
    if token.decimals or not 1 <= token.value <= 31 or token.unit is not None:
        return False
    return around.word(1) in lexicon.months or bool(around.after and around.after[0] in lexicon.months - {"may", "mar"})


def kind_of(text: str, token: Token, around: Context, lexicon: Lexicon) -> tuple[Kind, str | None]:
    """The kind of a number that is neither a name nor part of a range, and its symbol when that gave the kind."""
    symbol = around.symbol.lower() if around.symbol else ""
    if _STATISTIC_OPEN.search(text, max(0, token.start - 8), token.start):
        return Kind.STATISTIC, "df"
    named = _by_symbol(symbol, lexicon)
    if named is Kind.STATISTIC and not _is_statistic(text, token, symbol):
        named = Kind.LEVEL
    if named is not None:
        return named, around.symbol
    if token.form in ("ratio", "fold") or _is_ratio(token, around, lexicon):
        return _ratio_or_fold(token, around, lexicon), around.symbol
    if symbol and token.unit is None and token.form != "signed":
        return Kind.LEVEL, around.symbol
    delta = _delta(text, token, around, lexicon)
    if delta is not None:
        return delta, around.symbol
    if token.unit is not None and token.unit.symbol == "%":
        share = around.after[:1] in (["of"], ["der"], ["von"], ["aller"])
        return Kind.SHARE if share else Kind.LEVEL, around.symbol
    nearest = around.word(1).rstrip(":")
    if nearest in lexicon.spread or (nearest == "of" and around.word(2) in lexicon.spread - {"error", "errors"}):
        return Kind.SPREAD, around.symbol
    if nearest in _PROBABILITIES or (nearest == "of" and around.word(2) in _PROBABILITIES):
        return Kind.P, "p"
    return Kind.LEVEL, around.symbol


def _by_symbol(symbol: str, lexicon: Lexicon) -> Kind | None:
    if not symbol:
        return None
    if symbol in _PROBABILITIES or symbol.startswith("p_") or symbol == "ps":
        return Kind.P
    if symbol in _SIZES or symbol == "n_":
        return Kind.COUNT
    if symbol == "df":
        return Kind.STATISTIC
    if symbol in lexicon.spread:
        return Kind.SPREAD
    bare = symbol.replace("^2", "²").replace("2", "²") if symbol.startswith(("χ", "η", "ω", "ε", "t", "r")) else symbol
    if bare in lexicon.statistics and bare not in _NOT_STATISTICS:
        return Kind.STATISTIC
    return None


def _is_statistic(text: str, token: Token, symbol: str) -> bool:
    """t, F or r are statistics with degrees of freedom or with a p value behind them, else they are any variable."""
    if token.unit is not None:
        return False
    if symbol == "df" or symbol.startswith(("χ", "chi")) or (symbol == "z" and token.decimals > 0):
        return True
    before = text[max(0, token.start - 8) : token.start].rstrip("=<>≤≥≈~∼ -−")
    return before.endswith((")", "}")) or _P_BEHIND.match(text, token.end) is not None


def _is_ratio(token: Token, around: Context, lexicon: Lexicon) -> bool:
    if token.unit is not None:
        return False
    if (around.word(1) == "of" and around.word(2) in lexicon.factor) or around.word(1) in lexicon.factor:
        return True
    if not around.after or around.after[0] not in lexicon.ratio_after:
        return False
    if around.after[0] in ("x", "×", "fold", "-fold"):
        return True
    return (len(around.after) > 1 and around.after[1] in lexicon.ratio_comparatives) or around.after[0] == "倍"


def _ratio_or_fold(token: Token, around: Context, lexicon: Lexicon) -> Kind:
    if token.form != "fold":
        return Kind.RATIO
    following = around.after[:2]
    if any(word in lexicon.ratio_comparatives or word in lexicon.delta_nouns for word in following):
        return Kind.RATIO
    return Kind.COUNT


def _delta(text: str, token: Token, around: Context, lexicon: Lexicon) -> Kind | None:
    unit = token.unit.symbol if token.unit is not None else ""
    percent = unit == "%"
    relative = Kind.DELTA_REL if percent else Kind.DELTA_ABS
    if percent and _absolute(around, lexicon):
        relative = Kind.DELTA_ABS
    if token.form == "signed":
        return relative
    nearest, second = around.word(1), around.word(2)
    if nearest in lexicon.by or lexicon.cjk:
        window = text[max(0, token.start - 90) : token.start].lower()
        if lexicon.cjk:
            window = window[-8:].rstrip("了约近达为 ")[-2:]
        if lexicon.delta_verbs.search(window):
            return relative
    if nearest in ("of", "von") and second in lexicon.delta_nouns:
        return relative
    following = around.after[0] if around.after else ""
    if unit in ("pp", "point", "bp"):
        if unit == "point" and (second in lexicon.level_before or nearest in lexicon.level_before):
            return Kind.LEVEL
        return Kind.DELTA_ABS
    if percent and following in lexicon.delta_after and following != "over":
        return relative
    if percent and nearest in ("a", "an", "the") and any(word in lexicon.delta_nouns for word in around.after[1:3]):
        return relative
    if (following in _COMPARED and token.form != "word") or (
        nearest in ("a", "an") and following in lexicon.delta_nouns
    ):
        return relative
    if token.form == "plain" and not lexicon.cjk and _says_delta(text, token):
        return relative
    return None


_DELTA_BEHIND = re.compile(
    r"\s(?:(?P<metric>[A-Z][\w-]*)\s)?(?:(?:more|less|fewer)\sthan|(?:higher|lower|better|worse|shorter|longer|larger|smaller|greater)\s(?:than|with|in|for|on|under)|above|below|ahead\sof|behind)\b"
)
_DELTA_VERB = re.compile(
    r"\b(?:costs?|los(?:es?|t)|gain(?:s|ed)?|adds?|added|saves?|saved|contributes?)\s(?:only\s|another\s|an additional\s)?$",
    re.IGNORECASE,
)
_DELTA_IS = re.compile(
    r"\b(?:difference|gap|improvement|gain|margin|drop|reduction|increase|advantage)(?:\s(?:in|of|between|over|on|to|with respect to)\s[^.;:,()\d]{1,50})?\s(?:is|was|equals|amounts to)\s$",
    re.IGNORECASE,
)
_METRIC_BEHIND = re.compile(r"\s([A-Za-z][\w-]*)")


def _says_delta(text: str, token: Token) -> bool:
    """ "1.4 more than B", "2.3 BLEU better than B", "costs 0.9 BLEU", "the difference between A and B is 1.2"."""
    if token.decimals <= 0 and token.unit is None:
        return False
    end = max(token.end, token.unit_end)
    behind = _DELTA_BEHIND.match(text, end)
    if behind is not None:
        metric = behind["metric"]
        sided = behind[0].endswith(("above", "below", "behind"))
        if (metric is not None and metric.lower() in _metric_names()) or (metric is None and not sided):
            return True
    before = text[max(0, token.start - 110) : token.start]
    if _DELTA_IS.search(before):
        return True
    named = _METRIC_BEHIND.match(text, end)
    return named is not None and named[1].lower() in _metric_names() and _DELTA_VERB.search(before) is not None


def _absolute(around: Context, lexicon: Lexicon) -> bool:
    near = (*around.words[-3:], *around.after[:1])
    return any(word in lexicon.absolute for word in near) and not any(word in lexicon.relative for word in near)


def scale_word(token: Token, text: str, lexicon: Lexicon) -> tuple[int, int] | None:
    """The power of ten of "million" behind a number, and where the word ends."""
    if token.unit is not None or token.form not in ("plain", "power"):
        return None
    following = text[token.end : token.end + 1]
    if following and "\u4e00" <= following <= "\u9fff":
        for length in (2, 1):
            size = lexicon.scale_words.get(text[token.end : token.end + length])
            if size is not None:
                return size, token.end + length
        return None
    match = _SCALE.match(text, token.end)
    if match is None:
        return None
    word = match[1].lower()
    size = lexicon.scale_words.get(word)
    if size is not None:
        return size, match.end(1)
    size = lexicon.scale_words.get(word.rstrip("."))
    return (size, match.start(1) + len(word.rstrip("."))) if size is not None else None


_SCALE = re.compile(r"[ \u2009\u202f\u00a0-]([A-Za-z]{3,9}\.?)(?![A-Za-z])")
