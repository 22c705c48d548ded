"""What the table reader needs to know of a user macro."""

from collections.abc import Mapping
from typing import Protocol


class MacroLike(Protocol):
    """A macro definition: how many arguments it takes, and its replacement text with `#1` … for them."""

    @property
    def arity(self) -> int: ...

    @property
    def body(self) -> str: ...


Macros = Mapping[str, MacroLike]
