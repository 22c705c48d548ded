"""Quantities: every number of a text with value, rounding interval, unit and kind."""
