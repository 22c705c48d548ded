"""`workspace/didChangeConfiguration`, and asking for the configuration where the client prefers that."""

from lsprotocol import types as lsp

from server.logs import describe, logger
from server.options import SECTION
from server.protocol import Server
from server.session import Session

_LOG = logger("configuration")


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(params: lsp.DidChangeConfigurationParams) -> None:
        if not await pull(server, session):
            session.settings_changed(params.settings)


async def pull(server: Server, session: Session) -> bool:
    """Asks the client for our section of its settings; False when it cannot be asked or does not say."""
    workspace = session.capabilities.workspace
    if not (workspace and workspace.configuration):
        return False
    items = [lsp.ConfigurationItem(section=SECTION)]
    try:
        answer = await server.workspace_configuration_async(lsp.ConfigurationParams(items=items))
    except Exception as error:
        _LOG.warning("the client does not tell its settings: %s", describe(error))
        return False
    if not answer or answer[0] is None:
        return False
    session.settings_changed(answer[0])
    return True
