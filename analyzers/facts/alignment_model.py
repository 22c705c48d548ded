"""What goes into and comes out of the alignment of prose with tables.  Plain data."""

from dataclasses import dataclass
from decimal import Decimal
from enum import IntFlag, StrEnum
from typing import NamedTuple

from analyzers.facts.alignment_deltas import Reading
from analyzers.facts.quantities.model import Quantity


class Evidence(IntFlag):
    """Why a number is taken to be a cell."""

    NONE = 0
    REFERENCE_SENTENCE = 1
    REFERENCE_PARAGRAPH = 2
    REFERENCE_SECTION = 4
    ROW = 8
    COLUMN = 16
    UNIT = 32
    INHERITED = 64
    ZIPPED = 128
    MACRO = 256

    @property
    def reference(self) -> bool:
        """A reference to the table in the sentence, its paragraph or its section."""
        return bool(int(self) & _REFERENCES)

    @property
    def kinds(self) -> int:
        """How many of reference, row and column there are."""
        # As a number: a step with flags costs ten times as much as one with integers.
        bits = int(self)
        return bool(bits & _REFERENCES) + bool(bits & _ROW) + bool(bits & _COLUMN)


_REFERENCES = int(Evidence.REFERENCE_SENTENCE | Evidence.REFERENCE_PARAGRAPH | Evidence.REFERENCE_SECTION)
_ROW, _COLUMN = int(Evidence.ROW), int(Evidence.COLUMN)


class Reason(StrEnum):
    """Why nothing can be said of a number."""

    NOT_A_VALUE = "not a measured value"
    NO_TABLE = "no table that can be read is referred to"
    NO_CELL = "no cell has this value"
    VALUE_ONLY = "a cell has this value, but nothing else points at it"
    SEVERAL_CELLS = "several cells are meant or fit"
    NO_PAIR = "the two values of the comparison are not clear"
    SETTING = "the sentence speaks of another setting than the table"


class Sentence(NamedTuple):
    """A sentence with its quantities (offsets into `text`).

    `references`, `paragraph_references` and `section_references` are the labels referred to there; `summary` is set for
    abstract, conclusion and the like, where every table of results is a candidate.  `macros` names, per quantity, the
    macro that the number is written through.  Sentences of one paragraph share `paragraph`.
    """

    text: str
    quantities: tuple[Quantity, ...]
    paragraph: int = 0
    references: frozenset[str] = frozenset()
    paragraph_references: frozenset[str] = frozenset()
    section_references: frozenset[str] = frozenset()
    summary: bool = False
    macros: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Verified:
    """The number is this cell (or, with `other`, the difference or ratio of two cells in the given `reading`)."""

    sentence: int
    quantity: int
    table: int
    cell: int
    evidence: Evidence
    other: int | None = None
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Refuted:
    """The sentence names this cell (or pair of cells) and no other, and the number does not fit.

    `expected` is what the table gives, in the scale of the number.
    """

    sentence: int
    quantity: int
    table: int
    cell: int
    evidence: Evidence
    expected: Decimal
    other: int | None = None
    unit: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing can be said, and why."""

    sentence: int
    quantity: int
    reason: Reason


Link = Verified | Refuted | Unknown
