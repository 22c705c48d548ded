"""Numbers and units written with siunitx, as text: `\\SI{12.4}{\\second}` is `12.4 s`."""

import re

from analyzers.text.lex import read_arguments
from analyzers.text.prose_model import Builder, PieceKind

SIUNITX = frozenset(
    [
        "SI",
        "qty",
        "SIrange",
        "qtyrange",
        "num",
        "numrange",
        "si",
        "unit",
        "ang",
        "numlist",
        "SIlist",
        "qtylist",
        "numproduct",
        "qtyproduct",
    ]
)
_UNITS = {
    "second": "s", "seconds": "s", "minute": "min", "hour": "h", "day": "d", "metre": "m", "meter": "m", "gram": "g", "kilogram": "kg", "kelvin": "K",
    "celsius": "°C", "degreeCelsius": "°C", "percent": "%", "hertz": "Hz", "byte": "B", "bit": "bit", "watt": "W", "volt": "V", "ampere": "A", "joule": "J",
    "electronvolt": "eV", "pascal": "Pa", "bar": "bar", "newton": "N", "mole": "mol", "litre": "L", "liter": "L", "tesla": "T", "ohm": "Ω", "degree": "°",
    "per": "/", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "milli": "m", "micro": "µ", "nano": "n", "pico": "p", "femto": "f", "centi": "c",
    "deci": "d", "squared": "^2", "cubed": "^3", "square": "", "cubic": "", "s": "s", "ms": "ms", "us": "µs", "ns": "ns", "m": "m", "cm": "cm", "mm": "mm",
    "km": "km", "um": "µm", "nm": "nm", "g": "g", "kg": "kg", "mg": "mg", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz", "GHz": "GHz", "eV": "eV", "keV": "keV",
    "MeV": "MeV", "GeV": "GeV", "W": "W", "kW": "kW", "V": "V", "K": "K", "GB": "GB", "MB": "MB", "kB": "kB", "gibi": "Gi", "mebi": "Mi", "kibi": "Ki",
    "parsec": "pc", "lightyear": "ly", "year": "yr", "arcsecond": "″", "arcminute": "′",
}  # fmt: skip

_MACRO = re.compile(r"\s*\\([A-Za-z@]+)\s*")


def write_siunitx(b: Builder, name: str, at: int, position: int) -> int:
    count = (
        3
        if "range" in name and name != "numrange"
        else 2
        if name in ("SI", "qty", "numrange", "SIlist", "qtylist", "qtyproduct")
        else 1
    )
    groups, end = read_arguments(b.source, position, count)
    braced = [group for group in groups if group.opening == "{"]
    if len(braced) < count:
        return position
    numbers = braced if name in ("num", "numrange", "ang", "numlist", "numproduct") else braced[:-1]
    unit = None if name in ("num", "numrange", "numlist", "numproduct") else braced[-1]
    if name in ("si", "unit"):
        numbers, unit = [], braced[0]
    for index, group in enumerate(numbers):
        if index:
            b.put(" to ", numbers[index - 1].end, group.start, PieceKind.SYMBOL)
        written = b.source[group.start : group.end]
        macro = _MACRO.fullmatch(written)
        expansion = b.macros.expansion(macro[1]) if macro is not None else None
        if expansion is not None:
            b.put(b.expanded(expansion), group.start, group.end, PieceKind.MACRO)
            continue
        # Numbers are kept character by character, so that a finding points at the digits.
        b.put(b.source[group.start : group.end].replace("+-", "±±"[:1]) if "+-" in b.source[group.start : group.end] else b.source[group.start : group.end],
              group.start, group.end, PieceKind.SYMBOL if "+-" in b.source[group.start : group.end] else PieceKind.TEXT)  # fmt: skip
    if name == "ang":
        b.put("°", end - 1, end, PieceKind.SYMBOL)
    elif unit is not None:
        text = unit_text(b.source[unit.start : unit.end])
        b.put(("" if text in ("%", "°") or not numbers else " ") + text, unit.start - 1, unit.end + 1, PieceKind.SYMBOL)
    return end


def unit_text(source: str) -> str:
    """A siunitx unit in plain letters: `\\milli\\second` is `ms`, `\\km\\per\\hour` is `km/h`."""
    text = re.sub(r"\\([A-Za-z]+)\s*", lambda match: _UNITS.get(match[1], match[1]), source)
    return re.sub(r"[{}~\\]", "", text).replace(".", "·").strip()
