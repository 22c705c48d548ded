"""XML: the dblp dump and the ACL Anthology's collections, told apart by their root elements.

Both are read element by element; memory does not grow with the file.  The dump names its accented letters by entities of a
DTD that is not read: the names are HTML's.
"""

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import IO
from xml.etree import ElementTree

from analyzers.citations.record import Record
from clients.bibliography.readers.make import make_record
from clients.bibliography.readers.reading import UnreadableSourceError

_DBLP_KINDS = frozenset("article inproceedings proceedings book incollection phdthesis mastersthesis".split())
_ARXIV_VOLUME = re.compile(r"^abs/(.+)$")
_ACL_ID = re.compile(r"^[A-Z]\d{2}-\d{4}$|^\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+$")


def read(stream: IO[bytes], name: str) -> Iterator[Record]:
    """Records of a dblp or Anthology stream.  Raises `UnreadableSourceError` for other XML, or where it is malformed."""
    # The files are the user's own choice, and expat bounds the expansion of entities.
    parser = ElementTree.XMLParser()  # noqa: S314
    parser.entity.update({entity: chr(code) for entity, code in name2codepoint.items()})
    try:
        events = ElementTree.iterparse(stream, events=("start", "end"), parser=parser)  # noqa: S314
        _, root = next(events)
        if root.tag == "dblp":
            yield from _dblp(events, root)
        elif root.tag == "collection":
            yield from _anthology(events, root)
        else:
            raise UnreadableSourceError(f"{name}: neither a dblp dump nor an ACL Anthology collection.")
    except (ElementTree.ParseError, StopIteration) as error:
        raise UnreadableSourceError(f"{name}: the XML is damaged ({error}).") from error


def _text(element: ElementTree.Element | None) -> str:
    return "".join(element.itertext()) if element is not None else ""


def _escaped(text: str) -> str:
    """Text of XML has no markup left; protect what would be read as TeX."""
    return re.sub(r"([\\{}$~])", r"\\\1", text)


def _dblp(events: Iterator[tuple[str, ElementTree.Element]], root: ElementTree.Element) -> Iterator[Record]:
    for event, element in events:
        if event != "end" or element.tag not in _DBLP_KINDS:
            continue
        record = _dblp_record(element)
        root.clear()
        if record is not None:
            yield record


def _dblp_record(element: ElementTree.Element) -> Record | None:
    people = element.findall("author") or element.findall("editor")
    addresses = [_text(ee) for ee in element.findall("ee")]
    doi = next((address for address in addresses if "doi.org/10." in address), "")
    volume = _ARXIV_VOLUME.match(_text(element.find("volume")))
    withdrawn = element.get("publtype") == "withdrawn"
    return make_record(
        _escaped(_text(element.find("title"))),
        [_escaped(_text(person)) for person in people],
        kind=element.tag,
        year=_text(element.find("year")),
        venue=_escaped(_text(element.find("booktitle")) or _text(element.find("journal"))),
        pages=_text(element.find("pages")),
        doi=doi,
        url=next((address for address in addresses if address != doi), doi),
        arxiv=volume[1] if volume else "",
        identifier=f"DBLP:{element.get('key', '')}",
        flags=("withdrawn",) if withdrawn else (),
    )


def _anthology(events: Iterator[tuple[str, ElementTree.Element]], root: ElementTree.Element) -> Iterator[Record]:
    venue = year = ""
    for event, element in events:
        if event != "end":
            continue
        if element.tag == "meta":
            venue, year = _text(element.find("booktitle")), _text(element.find("year"))
        elif element.tag == "paper":
            record = _anthology_record(element, venue, year)
            element.clear()
            if record is not None:
                yield record
        elif element.tag == "volume":
            root.clear()


def _anthology_record(element: ElementTree.Element, venue: str, year: str) -> Record | None:
    place = _text(element.find("url"))
    address = f"https://aclanthology.org/{place}" if _ACL_ID.match(place) else place
    flags = tuple(
        flag for tag, flag in (("retracted", "retracted"), ("removed", "withdrawn")) if element.find(tag) is not None
    )
    return make_record(
        _escaped(_text(element.find("title"))),
        [
            _escaped(" ".join(part for part in (_text(a.find("first")), _text(a.find("last"))) if part))
            for a in element.findall("author")
        ],
        kind="inproceedings",
        year=_text(element.find("year")) or year,
        venue=_escaped(_text(element.find("journal-title")) or venue),
        pages=_text(element.find("pages")),
        doi=_text(element.find("doi")),
        url=address,
        identifier=_text(element.find("bibkey")) or place,
        flags=flags,
    )
