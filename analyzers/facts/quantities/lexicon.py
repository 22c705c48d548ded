"""Cue words per language, read once from `data/quantities.<language>.json`."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from analyzers.facts.quantities.model import Bound

LANGUAGES = ("en", "de", "zh")
# Of the languages without a lexicon, those that write a decimal point; the others write 3,5.
_POINT_LANGUAGES = frozenset(("en", "zh", "ja", "ko", "he", "th", ""))
_INTERNATIONAL = frozenset(("table", "tableau", "tabla", "figure", "figura", "fig.", "section", "equation", "chapitre"))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The cue words that decide what a number says; `stems` are matched at the beginning of a word."""

    identifier_before: frozenset[str]
    approximate: frozenset[str]
    bounds: dict[str, Bound]
    bound_after: tuple[tuple[str, Bound], ...]
    negations: frozenset[str]
    delta_verbs: re.Pattern[str]
    delta_nouns: frozenset[str]
    delta_after: frozenset[str]
    relative: frozenset[str]
    absolute: frozenset[str]
    level_before: frozenset[str]
    range_cues: re.Pattern[str]
    change_cues: re.Pattern[str]
    range_words: frozenset[str]
    between: frozenset[str]
    from_words: frozenset[str]
    by: frozenset[str]
    ratio_after: frozenset[str]
    ratio_comparatives: frozenset[str]
    factor: frozenset[str]
    ratio_words: dict[str, str]
    share_words: dict[str, str]
    of: frozenset[str]
    year_before: frozenset[str]
    year_strong: frozenset[str]
    months: frozenset[str]
    ci: re.Pattern[str]
    spread: frozenset[str]
    statistics: frozenset[str]
    stop_words: frozenset[str]
    starters: frozenset[str]
    number_words: dict[str, Any]
    scale_words: dict[str, int]
    model_size_nouns: frozenset[str]
    decimal_comma: bool
    cjk: dict[str, Any]
    mean: frozenset[str]
    integer_scale: tuple[str, ...]
    one_sided: tuple[str, ...]
    two_sided: tuple[str, ...]
    adjusted: tuple[str, ...]


def _stems(words: list[str], anywhere: bool) -> re.Pattern[str]:
    if not words:
        return re.compile(r"(?!)")
    return re.compile(("" if anywhere else r"\b") + "(?:" + "|".join(re.escape(word) for word in words) + ")")


@lru_cache(maxsize=8)
def lexicon(language: str = "en") -> Lexicon:
    """The cue words of a language ("en", "de-AT", "zh"); an unknown language gets none, so that only digits speak."""
    code = language.lower().replace("_", "-").partition("-")[0]
    data: dict[str, Any] = {}
    if code in LANGUAGES:
        data = json.loads(files("analyzers.facts.data").joinpath(f"quantities.{code}.json").read_text("utf-8"))

    def words(key: str) -> frozenset[str]:
        return frozenset(data.get(key, ()))

    cjk = bool(data.get("cjk"))
    bounds = {word: Bound(sign) for sign, entries in data.get("bounds", _SIGNS).items() for word in entries}
    after = tuple((word, Bound(sign)) for sign, entries in data.get("bound_after", {}).items() for word in entries)
    return Lexicon(
        words("identifier_before") or _INTERNATIONAL,
        words("approximate") | {"~", "∼", "≈"},
        bounds,
        after,
        words("negations"),
        _stems(data.get("delta_verbs", []), cjk),
        words("delta_nouns"),
        words("delta_after"),
        words("relative"),
        words("absolute"),
        words("level_before"),
        _stems(data.get("range_cues", []), cjk),
        _stems(data.get("change_cues", []), cjk),
        words("range_words"),
        words("between"),
        words("from"),
        words("by"),
        words("ratio_after") | {"x", "×"},
        words("ratio_comparatives"),
        words("factor"),
        dict(data.get("ratio_words", {})),
        dict(data.get("share_words", {})),
        words("of"),
        words("year_before"),
        words("year_strong"),
        words("months"),
        re.compile(_ci_pattern(data.get("ci", ["ci"])), re.IGNORECASE),
        words("spread"),
        words("statistics") or frozenset(("t", "f", "z", "χ²", "r")),
        words("stop_words"),
        words("starters"),
        dict(data.get("number_words", {})),
        dict(data.get("scale_words", {})),
        words("model_size_nouns"),
        bool(data.get("decimal_comma", code not in _POINT_LANGUAGES)),
        {key: data[key] for key in ("cjk_digits", "cjk_scales", "classifiers", "percent_before") if key in data},
        words("mean"),
        tuple(data.get("integer_scale", ())),
        tuple(data.get("one_sided", ())),
        tuple(data.get("two_sided", ())),
        tuple(data.get("adjusted", ())),
    )


_SIGNS = {"<": ["<"], "<=": ["≤", "<="], ">": [">"], ">=": ["≥", ">="]}


def _ci_pattern(words: list[str]) -> str:
    return r"(?<![A-Za-z])(?:" + "|".join(re.escape(word) for word in words) + r")(?![A-Za-z])"
