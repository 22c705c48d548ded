"""What a number in a text is: value, precision, unit, kind.  Plain data; offsets are code points into the text read."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Kind(StrEnum):
    """What a number says.

    `level` a measured or set value; `delta_abs` a difference in the unit itself (2.0 points); `delta_rel` a relative
    difference (by 19.8%); `ratio` a factor (3x faster, twice); `count` a number of things; `share` a part of a whole
    (42% of the errors); `p` a p value; `statistic` a test statistic or its degrees of freedom; `ci` a confidence or
    other closed interval; `spread` a standard deviation, standard error or the like; `range` two end points; `year` a
    year or a date; `identifier` no quantity at all (7B, Table 4).
    """

    LEVEL = "level"
    DELTA_ABS = "delta_abs"
    DELTA_REL = "delta_rel"
    RATIO = "ratio"
    COUNT = "count"
    SHARE = "share"
    P = "p"
    STATISTIC = "statistic"
    CI = "ci"
    SPREAD = "spread"
    RANGE = "range"
    YEAR = "year"
    IDENTIFIER = "identifier"


class Bound(StrEnum):
    """The relation between the real value and the number written: p < .05 is `LESS`, "at least 3" is `AT_LEAST`."""

    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Number:
    """One literal.

    `decimals` is the position of the last digit that was written, counted in the value's own scale: 2 for 4.36, 0 for
    36, 4 for 3e-4, -3 for 5k.  `lower` and `upper` bound what the number may have been before it was rounded (closed
    at both ends, because papers round half up and half to even).
    """

    start: int
    end: int
    value: Decimal
    decimals: int
    lower: Decimal
    upper: Decimal

    def allows(self, value: Decimal) -> bool:
        """True when `value`, rounded to the decimals written here, may give this number."""
        return self.lower <= value <= self.upper

    def moved(self, by: int) -> "Number":
        """The same literal, `by` code points further on."""
        return Number(self.start + by, self.end + by, self.value, self.decimals, self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the unit table.  One unit is `factor` base units of its `dimension` (ms: time, 0.001; %: share, 0.01;
    pp: points, 0.01).
    """

    symbol: str
    dimension: str
    factor: Decimal


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text and what it says.

    `start`, `end` and `text` are the literal itself, sign, exponent and suffix included, without its unit (which
    stands at `unit_start`, `unit_end`; both equal to `end` when there is none).  For ranges and intervals they cover
    both `endpoints`, and `value` is the first of them; for "8 of 22" they cover `numerator` and `denominator`, and
    `value` is 8. `lower` and `upper` are the rounding interval (see `Number`); of a range, what lies between the
    endpoints; an approximate number (`about 700,000`) is taken as rounded at its last non-zero digit. `symbol` is the
    name on the left of an equation (n = 38, p < .05, t(36) = 2.43); `noun` is the thing counted (38 participants).
    `confidence` is the level of a confidence interval in percent.  `spread` is what follows ±, or stands in
    parentheses as a spread.
    """

    start: int
    end: int
    text: str
    value: Decimal
    decimals: int
    lower: Decimal
    upper: Decimal
    kind: Kind
    unit: Unit | None = None
    unit_start: int = 0
    unit_end: int = 0
    approximate: bool = False
    bound: Bound | None = None
    negated: bool = False
    spread: Number | None = None
    endpoints: tuple[Number, Number] | None = None
    numerator: Number | None = None
    denominator: Number | None = None
    symbol: str | None = None
    noun: str | None = None
    confidence: Decimal | None = None

    @property
    def number(self) -> Number:
        """The literal as a `Number`."""
        return Number(self.start, self.end, self.value, self.decimals, self.lower, self.upper)

    @property
    def percent(self) -> bool:
        """True for numbers written in percent (not in percentage points)."""
        return self.unit is not None and self.unit.symbol == "%"

    def allows(self, value: Decimal) -> bool:
        """True when `value` may have been rounded (or, for a range, enclosed) to what is written here."""
        return self.lower <= value <= self.upper
