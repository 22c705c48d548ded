"""`workspace/didChangeWatchedFiles`: files that change outside of the editor."""

from lsprotocol import types as lsp

from server.logs import describe, logger
from server.protocol import Server
from server.session import Session

PATTERN = "**/*.{tex,ltx,Rnw,bib,bbl,cls,sty,toml,json}"
_LOG = logger("watched")


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        session.disk_changed([change.uri for change in params.changes])


async def watch(server: Server, session: Session) -> None:
    """Asks the client to watch the files of manuscripts, if it can be asked."""
    workspace = session.capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if not (watching and watching.dynamic_registration):
        return
    watched = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=[lsp.FileSystemWatcher(glob_pattern=PATTERN)])
    registration = lsp.Registration(
        id="watched-files", method=lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=watched
    )
    try:
        await server.client_register_capability_async(lsp.RegistrationParams(registrations=[registration]))
    except Exception as error:
        _LOG.warning("the client does not watch files: %s", describe(error))
