"""How sure a measured share is."""

from math import sqrt

_Z95 = 1.959963984540054


def wilson(hits: int, total: int, z: float = _Z95) -> tuple[float, float] | None:
    """The score interval of a share of `total` (E. B. Wilson, 1927), at 95 % unless `z` says otherwise; None without a total."""
    if total <= 0:
        return None
    share = hits / total
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    centre = share + z * z / (2 * total)
    scale = 1 + z * z / total
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
