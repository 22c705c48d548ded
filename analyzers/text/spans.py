"""The span: where something stands."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points in one file; only `server/positions.py` knows LSP units.

    `path` is relative to the workspace, with forward slashes.  Inside a block's cache it is the empty string and the
    offsets count from the start of the block.
    """

    path: str
    start: int
    end: int

    def moved(self, path: str, by: int) -> "Span":
        """The same range in file `path`, `by` code points further on."""
        return Span(path, self.start + by, self.end + by)

    def overlaps(self, other: "Span") -> bool:
        """True when both spans share a code point, or an empty span lies inside the other."""
        return (
            self.path == other.path
            and self.start < max(other.end, other.start + 1)
            and other.start < max(self.end, self.start + 1)
        )
