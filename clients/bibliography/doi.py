"""doi.org: whether a DOI exists at all, and the metadata of agencies that have no adapter of their own.

The registration-agency service answers for several DOIs at once, but its "does not exist" alone proves nothing: the
handle itself is asked before a DOI is called unknown.
"""

import asyncio
from collections.abc import Mapping
from urllib.parse import quote

from analyzers.citations.record import Identifier, Scheme
from analyzers.citations.source import Found, NotFound, Outcome
from clients.bibliography import shapes
from clients.bibliography.adapter import Adapter, Bundler, guarded
from clients.bibliography.crossref import record_from
from clients.bibliography.http import Endpoint, Transport
from clients.bibliography.pace import Clock, Policy
from clients.bibliography.reply import UnavailableError

BASE_URL = "https://doi.org"
BUNDLE = 6
# These agencies are asked directly, which is cheaper than a redirect to them.
_OWN_ADAPTER = frozenset({"crossref", "datacite"})
_EXISTS = frozenset({1, 200})
_UNKNOWN = frozenset({100, 301})
_CSL = "application/vnd.citationstyles.csl+json"


class DoiOrg(Adapter):
    name = "doi.org"
    schemes = frozenset({Scheme.DOI})
    authority_for = frozenset({Scheme.DOI})

    def __init__(self, transport: Transport, base_url: str = BASE_URL, *, clock: Clock | None = None) -> None:
        policy = Policy(rate=3, burst=2, concurrency=2)
        self.endpoint = Endpoint(self.name, base_url, transport, policy=policy, clock=clock)
        # Publishers' pages at the end of a redirect fail in their own ways; that must not silence doi.org itself.
        self.metadata = Endpoint(self.name, base_url, transport, policy=Policy(rate=1), clock=clock)
        self._bundler = Bundler(self._agencies, BUNDLE)

    async def _look_up(self, identifier: Identifier) -> Outcome:
        # A comma separates DOIs in a bundle, so a DOI that holds one goes alone to the handle service.
        if "," in identifier.value:
            return await self._handle(identifier.value)
        return await self._bundler.outcome(identifier.value)

    async def _agencies(self, dois: tuple[str, ...]) -> Mapping[str, Outcome]:
        reply = await self.endpoint.get(f"/doiRA/{','.join(quote(doi, safe='/') for doi in dois)}")
        answers = reply.json()
        if not isinstance(answers, list):
            raise self.endpoint.malformed()
        agency = {
            str(answer.get("DOI", "")).lower(): shapes.text(answer.get("RA")).lower()
            for answer in shapes.mappings(answers)
        }
        outcomes = await asyncio.gather(*(guarded(self._existing(doi, agency.get(doi.lower(), ""))) for doi in dois))
        return dict(zip(dois, outcomes, strict=True))

    async def _existing(self, doi: str, agency: str) -> Outcome:
        if not agency:
            return await self._handle(doi)
        if agency in _OWN_ADAPTER:
            return Found(())
        return await self._csl(doi)

    async def _handle(self, doi: str) -> Outcome:
        reply = await self.endpoint.get(
            f"/api/handles/{quote(doi, safe='/')}", {"type": "URL"}, answers=frozenset({400, 404})
        )
        code = shapes.mapping(reply.json()).get("responseCode")
        if code in _EXISTS:
            return Found(())
        if code in _UNKNOWN:
            return NotFound()
        raise self.endpoint.malformed()

    async def _csl(self, doi: str) -> Outcome:
        """Metadata by content negotiation; without it the DOI still exists."""
        try:
            reply = await self.metadata.get(f"/{quote(doi, safe='/')}", accept=_CSL)
            record = record_from(shapes.mapping(reply.json()), self.name)
        except UnavailableError:
            return Found(())
        return Found((record,) if record else ())
