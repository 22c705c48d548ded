"""The commands on citations: look up, turn online look-ups on or off, say what is known, mark an entry as checked."""

import os
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from lsprotocol import types as lsp

from server.arguments import folders_in, given_in
from server.citation_actions import MARK_CHECKED, OPEN_RECORD, UNMARK_CHECKED
from server.citation_findings import Item
from server.citation_views import CITATIONS_CHECK, CITATIONS_STATUS, status, summary
from server.consent import consent_text
from server.folders import Folder
from server.jobs import Job
from server.lookups import content_of
from server.protocol import InvalidArgumentsError, Server
from server.session import Session

ONLINE_ON = "counterclaim.citations.online.on"
ONLINE_OFF = "counterclaim.citations.online.off"
ALLOW = "Allow for this workspace"
REFUSE = "Not now"
_SECONDS = 3600.0
_ANSWER_SECONDS = 600.0


def register(server: Server, session: Session) -> None:
    """Registers the commands."""
    verification = session.verification

    @server.command(CITATIONS_CHECK)
    def check(*arguments: Any) -> dict[str, Any]:
        folders = folders_in(session, given_in(arguments))
        nobody = [folder for folder in folders if verification.plan_of(folder).empty]
        if len(nobody) == len(folders):
            messages = [str(status(session, folder)["message"]) for folder in nobody]
            return {"message": "\n".join(messages) or "No document is open."}

        async def work(job: Job) -> str:
            for folder in folders:
                await verification.check(folder, job)
            return "; ".join(summary(session, folder) for folder in folders)

        return {"token": session.jobs.start("Looking citations up", work, _SECONDS)}

    @server.command(CITATIONS_STATUS)
    def citations_status(*arguments: Any) -> dict[str, Any]:
        found = [status(session, folder) for folder in folders_in(session, given_in(arguments))]
        message = "\n".join(str(item["message"]) for item in found) or "No document is open."
        return {"message": message, "folders": found}

    @server.command(ONLINE_ON)
    def online_on(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        folders = folders_in(session, given)
        if not session.options.trusted:
            return {"online": False, "message": "This workspace is not trusted, so nothing of it is sent anywhere."}
        if not folders:
            return {"online": False, "message": "No document is open."}
        text = "\n\n".join(_consent(folder) for folder in folders)
        consent = given.get("consent")
        if consent is not None and not isinstance(consent, bool):
            raise InvalidArgumentsError("`consent` must be true or false")
        if consent is True:
            for folder in folders:
                _switch(session, folder, on=True)
            return {"online": True, "message": text}
        if consent is None:
            session.jobs.start("Asking", lambda _: _ask(server, session, folders, text), _ANSWER_SECONDS)
        return {"online": False, "message": text, "asked": consent is None}

    @server.command(ONLINE_OFF)
    def online_off(*arguments: Any) -> dict[str, Any]:
        folders = folders_in(session, given_in(arguments))
        for folder in folders:
            _switch(session, folder, on=False)
        return {"online": False, "message": "Online look-ups are off for this workspace."}

    @server.command(MARK_CHECKED)
    def mark_checked(*arguments: Any) -> dict[str, Any]:
        folder, item = _item(session, given_in(arguments))
        verification.state(folder).checked.add(item.entry.key, content_of(item.entry, item.bibliography), _today())
        verification.changed(folder)
        return {"checked": item.entry.key}

    @server.command(UNMARK_CHECKED)
    def unmark_checked(*arguments: Any) -> dict[str, Any]:
        folder, item = _item(session, given_in(arguments))
        verification.state(folder).checked.remove(item.entry.key, content_of(item.entry, item.bibliography))
        verification.changed(folder)
        return {"unchecked": item.entry.key}

    @server.command(OPEN_RECORD)
    def open_record(*arguments: Any) -> dict[str, Any]:
        folder, item = _item(session, given_in(arguments))
        verdict = verification.verdict(folder, item)
        record = verdict.record if verdict is not None else None
        address = ""
        if record is not None:
            address = record.url or (f"https://doi.org/{record.doi}" if record.doi else "")
        if not address.startswith(("https://", "http://")):
            return {"message": f"No address is known for {item.entry.key}."}
        window = session.capabilities.window
        if window and window.show_document and window.show_document.support:
            params = lsp.ShowDocumentParams(uri=address, external=True)
            session.jobs.start("Opening the record", lambda _: _open(server, params))
        return {"address": address, "message": address}


async def _open(server: Server, params: lsp.ShowDocumentParams) -> None:
    await server.window_show_document_async(params)


async def _ask(server: Server, session: Session, folders: list[Folder], text: str) -> str:
    actions = [lsp.MessageActionItem(title=ALLOW), lsp.MessageActionItem(title=REFUSE)]
    request = lsp.ShowMessageRequestParams(type=lsp.MessageType.Warning, message=text, actions=actions)
    answer = await server.window_show_message_request_async(request)
    if answer is None or answer.title != ALLOW:
        return "Online look-ups stay off."
    for folder in folders:
        _switch(session, folder, on=True)
    return "Online look-ups are on for this workspace."


def _switch(session: Session, folder: Folder, *, on: bool) -> None:
    verification = session.verification
    verification.edited(folder)  # what runs was started under the other setting
    verification.consent.set(folder.place, on, _today())
    verification.changed(folder)
    verification.saved(folder)
    if folder.outcome is not None:
        verification.analysed(folder)


def _consent(folder: Folder) -> str:
    place = str(folder.place) if folder.place is not None else "documents that were never saved"
    return consent_text(place, _recipients(), os.environ.get("COUNTERCLAIM_EMAIL", ""))


def _recipients() -> tuple[str, ...]:
    """Every service that may be asked, by the name under which verdicts list it."""
    from clients.bibliography.acl import AclAnthology
    from clients.bibliography.arxiv import Arxiv
    from clients.bibliography.crossref import Crossref
    from clients.bibliography.datacite import DataCite
    from clients.bibliography.dblp import Dblp
    from clients.bibliography.doi import DoiOrg
    from clients.bibliography.openalex import OpenAlex
    from clients.bibliography.openlibrary import OpenLibrary
    from clients.bibliography.openreview import OpenReview
    from clients.bibliography.pubmed import PubMed
    from clients.bibliography.semantic_scholar import SemanticScholar

    free = (DoiOrg, Crossref, DataCite, Arxiv, Dblp, AclAnthology, OpenReview, PubMed, OpenLibrary)
    with_key = (SemanticScholar, OpenAlex)
    return (*(source.name for source in free), *(f"{source.name} (with a key of yours)" for source in with_key))


def _item(session: Session, given: Mapping[str, Any]) -> tuple[Folder, Item]:
    key = given.get("key")
    if not isinstance(key, str):
        raise InvalidArgumentsError("`uri` of an open document and `key` of an entry are needed")
    for folder in folders_in(session, given):
        for item in session.verification.items(folder):
            if item.entry.key == key:
                return folder, item
    raise InvalidArgumentsError("no bibliography of an open document has an entry with this key")


def _today() -> date:
    return datetime.now().astimezone().date()
