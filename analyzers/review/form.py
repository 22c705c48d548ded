"""Review forms of venues, as data: which scores a review has, on which scale, and what their values mean."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

DEFAULT_FORM = "neurips"


@dataclass(frozen=True, slots=True)
class Scale:
    """One score of a form; `values` may be spaced unevenly.  `meaning` says in words what a value stands for."""

    name: str
    title: str
    values: tuple[float, ...]
    meaning: Mapping[float, str]
    about: str = ""

    def nearest(self, value: float) -> float | None:
        """The value itself when the form has it, None otherwise: a score off the scale is no score."""
        return next((allowed for allowed in self.values if abs(allowed - value) < 1e-9), None)


@dataclass(frozen=True, slots=True)
class Form:
    """A venue's form; the first scale is the overall score."""

    name: str
    title: str
    scales: tuple[Scale, ...]
    sections: Mapping[str, str]
    guidance: str = ""

    @property
    def overall(self) -> Scale:
        """The overall score."""
        return self.scales[0]


def form_names() -> tuple[str, ...]:
    """Every form, by file name."""
    folder = files("analyzers.review").joinpath("forms")
    return tuple(sorted(item.name.removesuffix(".json") for item in folder.iterdir() if item.name.endswith(".json")))


@lru_cache(maxsize=16)
def form_of(name: str) -> Form:
    """The form with this name.  Raises KeyError when there is none."""
    if name not in form_names():
        raise KeyError(name)
    data = json.loads(files("analyzers.review").joinpath("forms", f"{name}.json").read_text("utf-8"))
    scales = tuple(
        Scale(
            scale["name"],
            scale["title"],
            tuple(float(value) for value in scale["values"]),
            {float(value): text for value, text in scale["values"].items()},
            scale.get("about", ""),
        )
        for scale in data["scales"]
    )
    return Form(name, data["title"], scales, data["sections"], data.get("guidance", ""))


def number(value: float) -> str:
    """A score as people write it: `6`, `3.5`."""
    return f"{value:g}"
