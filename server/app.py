"""Builds the language server: the session, the protocol, and every handler joined to both.  A composition root."""

from server.handlers import (
    code_actions,
    commands,
    configuration,
    hover,
    lifecycle,
    progress,
    references,
    symbols,
    sync,
    watched_files,
)
from server.protocol import Server
from server.session import Session

HANDLERS = (lifecycle, sync, watched_files, configuration, hover, references, code_actions, symbols, commands, progress)


def build_server(version: str) -> Server:
    """A language server that is ready to be connected."""
    server = Server("counterclaim", version)
    session = Session(server)
    for handler in HANDLERS:
        handler.register(server, session)
    return server
