"""Quantities: every number of a text with value, rounding interval, unit and kind."""

from analyzers.facts.quantities.model import Bound, Kind, Number, Quantity, Unit
from analyzers.facts.quantities.scan import quantities

__all__ = ["Bound", "Kind", "Number", "Quantity", "Unit", "quantities"]
