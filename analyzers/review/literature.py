"""Literature from bibliographic records: what is looked for, and the records as a model reads them."""

from collections.abc import Iterable

from analyzers.citations.record import Record
from analyzers.citations.titles import title_key
from analyzers.review.script import Script, printed
from analyzers.text.spans import Span

MOST_RECORDS = 40
_MOST_NAMES = 3
_MOST_LINE = 300


def claim_texts(script: Script, claims: Iterable[Span]) -> tuple[str, ...]:
    """The visible sentences that say the main claims, each once; a claim whose sentence is withheld has none."""
    lines = (script.line_of(place) for span in claims if (place := script.at(span)) is not None)
    return tuple(dict.fromkeys(line.text for line in lines if line is not None and line.text))


def record_lines(records: Iterable[Record], title: str) -> tuple[str, ...]:
    """One line for each work, at most `MOST_RECORDS`.

    Works under the manuscript's own title are left out: they would tell a blind reviewer who wrote it.
    """
    own = title_key(title) if title else ""
    found: dict[str, str] = {}
    for record in records:
        key = title_key(record.title)
        if key and key != own and key not in found and len(found) < MOST_RECORDS:
            found[key] = _line(record)
    return tuple(found.values())


def _line(record: Record) -> str:
    names = ", ".join(record.authors[:_MOST_NAMES])
    if len(record.authors) > _MOST_NAMES or (record.authors and not record.authors_complete):
        names += " and others"
    address = f"https://doi.org/{record.doi}" if record.doi else record.url
    if not address and record.arxiv_id:
        address = f"https://arxiv.org/abs/{record.arxiv_id}"
    year = "" if record.year is None else str(record.year)
    return ". ".join(
        part
        for part in (printed(record.title)[:_MOST_LINE], printed(names), year, printed(record.venue), address)
        if part
    )
