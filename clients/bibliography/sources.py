"""Which online sources a run may ask: built from what the user turned on, never from a manuscript.

The network is off unless the user turned it on for the workspace.  Keys come from the environment or the system's
keyring, the e-mail address for the polite pools from the user's own configuration; neither is ever written anywhere.
"""

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from analyzers.citations.source import BibliographicSource
from clients.bibliography.acl import AclAnthology
from clients.bibliography.adapter import Adapter
from clients.bibliography.arxiv import Arxiv
from clients.bibliography.cache import AnswerCache, CachedSource
from clients.bibliography.crossref import Crossref
from clients.bibliography.datacite import DataCite
from clients.bibliography.dblp import Dblp
from clients.bibliography.doi import DoiOrg
from clients.bibliography.http import Transport, user_agent
from clients.bibliography.openalex import OpenAlex
from clients.bibliography.openlibrary import OpenLibrary
from clients.bibliography.openreview import OpenReview
from clients.bibliography.pace import Clock
from clients.bibliography.pubmed import PubMed
from clients.bibliography.semantic_scholar import SemanticScholar

KEYRING_SERVICE = "counterclaim"
# Source -> environment variables that may hold its key, the first one set counts.
KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "openalex": ("OPENALEX_API_KEY",),
    "semantic-scholar": ("S2_API_KEY", "SEMANTIC_SCHOLAR_API_KEY"),
    "pubmed": ("NCBI_API_KEY",),
}
# In the order in which they are asked and listed.
SOURCE_NAMES = (
    "doi", "crossref", "datacite", "arxiv", "dblp", "acl", "openreview", "semantic-scholar", "openalex", "pubmed",
    "openlibrary",
)  # fmt: skip
_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,24}")
_KEY = re.compile(r"[\x21-\x7e]{1,300}")


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """What the user allows.

    `network` must come from the workspace's consent.  `names` restricts the sources (`SOURCE_NAMES`), empty means all
    that make sense.  `email` is optional and comes from the user's own configuration, never from the workspace.
    `base_urls` replaces addresses (source name -> address), for tests and mirrors; also the user's own configuration.
    """

    network: bool = False
    names: tuple[str, ...] = ()
    email: str = ""
    version: str = "0"
    base_urls: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of one run, and what the user should know about those that are missing.  Close it afterwards."""

    sources: tuple[BibliographicSource, ...]
    notes: tuple[str, ...] = ()
    transport: Transport | None = None

    async def aclose(self) -> None:
        if self.transport is not None:
            await self.transport.aclose()

    async def __aenter__(self) -> "Sources":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def keyring_key(source: str) -> str | None:
    """The key for `source` in the system's keyring; None without the optional package, a keyring, or an entry."""
    try:
        found = importlib.import_module("keyring").get_password(KEYRING_SERVICE, source)
    except Exception:
        # Keyring back ends fail in ways of their own; without one there is simply no key.
        return None
    return found if isinstance(found, str) else None


def build_sources(
    settings: SourceSettings,
    environment: Mapping[str, str],
    *,
    cache: AnswerCache | None = None,
    keyring: Callable[[str], str | None] = keyring_key,
    clock: Clock | None = None,
) -> Sources:
    """The enabled sources, cached when a cache is given; none while the network is off.

    Raises ValueError for an address in `base_urls` that is neither https nor on this machine.
    """
    if not settings.network:
        return Sources(())
    notes = [f"There is no source called “{name}”." for name in settings.names if name not in SOURCE_NAMES]
    address = settings.email.strip()
    if address and not _ADDRESS.fullmatch(address):
        notes.append("The e-mail address in the settings is not one; it was not sent.")
        address = ""
    transport = Transport(user_agent(settings.version, address or None))
    chosen = [name for name in SOURCE_NAMES if not settings.names or name in settings.names]
    sources: list[BibliographicSource] = []
    for name in chosen:
        key = _key(name, environment, keyring) if name in KEY_VARIABLES else None
        missing = _missing(name, key, named=name in settings.names)
        if missing:
            notes.append(missing)
            continue
        source = _adapter(name, transport, settings, key, polite=bool(address), clock=clock)
        sources.append(CachedSource(source, cache) if cache else source)
    return Sources(tuple(sources), tuple(notes), transport)


def _key(name: str, environment: Mapping[str, str], keyring: Callable[[str], str | None]) -> str | None:
    for variable in KEY_VARIABLES[name]:
        value = environment.get(variable, "").strip()
        if value:
            return value if _KEY.fullmatch(value) else None
    value = (keyring(name) or "").strip()
    return value if _KEY.fullmatch(value) else None


def _missing(name: str, key: str | None, *, named: bool) -> str | None:
    """Why a source is left out; None when it is not."""
    if name == "openalex" and not key:
        return f"OpenAlex is not asked: it needs a key ({KEY_VARIABLES[name][0]})."
    if name == "semantic-scholar" and not key and not named:
        return f"Semantic Scholar is not asked: without a key ({KEY_VARIABLES[name][0]}) it mostly refuses."
    return None


def _adapter(
    name: str, transport: Transport, settings: SourceSettings, key: str | None, *, polite: bool, clock: Clock | None
) -> Adapter:
    address = settings.base_urls.get(name)
    base = {"base_url": address} if address else {}
    match name:
        case "crossref":
            return Crossref(transport, **base, polite=polite, clock=clock)
        case "openalex":
            return OpenAlex(transport, key or "", **base, clock=clock)
        case "semantic-scholar":
            return SemanticScholar(transport, **base, key=key, clock=clock)
        case "pubmed":
            return PubMed(transport, **base, key=key, clock=clock)
        case "arxiv":
            return Arxiv(transport, **base, clock=clock)
        case "datacite":
            return DataCite(transport, **base, clock=clock)
        case "doi":
            return DoiOrg(transport, **base, clock=clock)
        case "dblp":
            return Dblp(transport, **base, clock=clock)
        case "openreview":
            return OpenReview(transport, **base, clock=clock)
        case "acl":
            return AclAnthology(transport, **base, clock=clock)
        case _:
            return OpenLibrary(transport, **base, clock=clock)
