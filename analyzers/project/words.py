"""Words the user taught the project in its settings: acronyms everybody knows, directions of metrics, template text, other names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The dictionaries of `counterclaim.toml`, in a form that can be part of a cache key."""

    acronyms: frozenset[str] = frozenset()
    higher_is_better: frozenset[str] = frozenset()
    lower_is_better: frozenset[str] = frozenset()
    template: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()


NO_WORDS = Words()
