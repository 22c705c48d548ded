"""Quantities: every number of a text with value, rounding interval, unit and kind."""

from analyzers.facts.quantities.formatting import like, plain, rounded
from analyzers.facts.quantities.model import Bound, Kind, Number, Quantity, Unit
from analyzers.facts.quantities.scan import quantities
from analyzers.facts.quantities.units import convert, unit_named
from analyzers.facts.quantities.words import number_words

__all__ = [
    "Bound",
    "Kind",
    "Number",
    "Quantity",
    "Unit",
    "convert",
    "like",
    "number_words",
    "plain",
    "quantities",
    "rounded",
    "unit_named",
]
