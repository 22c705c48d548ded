"""The paragraph at a place: which entries of the manuscript it is made of."""

from analyzers.project.manuscript import Manuscript


def paragraph_at(manuscript: Manuscript, path: str, start: int, end: int) -> tuple[int, ...]:
    """Indices of the entries whose block meets the range of a file; of the nearest one when the range is blank.

    Blank lines belong to the block before them, so a range that only touches such lines takes that paragraph.
    """
    found: list[int] = []
    nearest: tuple[int, int] | None = None
    for index, entry in manuscript.body:
        if entry.path != path:
            continue
        block_end = entry.start + len(entry.block.text)
        if entry.start <= end and start < block_end:
            overlap = manuscript.files[path].text[max(start, entry.start) : min(max(end, start + 1), block_end)]
            if overlap.strip():
                found.append(index)
        distance = max(entry.start - end, start - block_end, 0)
        if nearest is None or distance < nearest[0]:
            nearest = (distance, index)
    if found:
        return tuple(found)
    return (nearest[1],) if nearest else ()
