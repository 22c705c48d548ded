"""Works that may be related to a manuscript, from the local index and, with consent, from bibliographic services.

The index is searched by the title and the main claims, because that leaves nothing; services are asked by the title alone.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from analyzers.graph.build import graph_of
from analyzers.review.literature import claim_texts, record_lines

if TYPE_CHECKING:
    from analyzers.citations.record import Record
    from server.review_run import Prepared

_BY_TITLE = 15
_BY_CLAIM = 8


@dataclass(frozen=True, slots=True)
class LiteratureOptions:
    """Where to look: the named index or the default one; `online` is the user's consent, given for this run.

    `base_urls` and `cache` replace addresses of services and the file of their answers.
    """

    index: Path | None = None
    online: bool = False
    email: str = ""
    version: str = "0"
    base_urls: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Literature:
    """The records as lines for a model, and what the user should know of where they come from."""

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()


def related_literature(ready: "Prepared", searches: int, options: LiteratureOptions) -> Literature:
    """What at most `searches` searches find: the first with the title, the others with main claims.

    Raises `clients.bibliography.index.IndexFileError` for an index that cannot be used.
    """
    title = ready.script.title
    claims = claim_texts(ready.script, (node.spans[0] for node in graph_of(ready.manuscript).main_claims))
    texts = [text for text in (title, *claims) if text][:searches]
    records, notes = _from_index(texts, title, options)
    if options.online and title:
        found, more = asyncio.run(_from_services(title, options))
        records, notes = [*found, *records], [*notes, *more]
    lines = record_lines(records, title)
    if not lines:
        notes.append("No related work was found in bibliographic records, so there is no report on the literature.")
    return Literature(lines, tuple(notes))


def _from_index(texts: Sequence[str], title: str, options: LiteratureOptions) -> tuple[list["Record"], list[str]]:
    from clients.bibliography.index import BibliographyIndex
    from server.commands.index import default_index

    path = options.index or default_index()
    if options.index is None and not path.is_file():
        return [], ["There is no local index to look for related work in. `counterclaim index build` makes one."]
    index = BibliographyIndex(path)
    try:
        found = [index.on_subject(text, _BY_TITLE if text == title else _BY_CLAIM) for text in texts]
    except sqlite3.Error as error:
        return [], [f"The local index cannot be read ({error})."]
    finally:
        index.close()
    return [record for records in found for record in records], []


async def _from_services(title: str, options: LiteratureOptions) -> tuple[list["Record"], list[str]]:
    import datetime

    from analyzers.citations.source import Found, TitleQuery, Unavailable
    from server.commands.cite import CiteOptions, online_sources

    today = datetime.datetime.now().astimezone().date()
    cite = CiteOptions(
        Path(), today, online=True, email=options.email, version=options.version, base_urls=options.base_urls,
        cache=options.cache,
    )  # fmt: skip
    async with online_sources(cite) as sources:
        answers = await asyncio.gather(*(source.search(TitleQuery(title)) for source in sources))
    records = [record for answer in answers if isinstance(answer, Found) for record in answer.records]
    down = [
        f"{source.name} did not answer ({answer.reason}); related work is looked for without it."
        for source, answer in zip(sources, answers, strict=True)
        if isinstance(answer, Unavailable)
    ]
    return records, down
