"""Builds the language server: the session, the protocol, and every handler joined to both.  A composition root."""

from server.handlers import (
    call_hierarchy,
    citations,
    code_actions,
    commands,
    configuration,
    definition,
    hover,
    inlay_hints,
    lenses,
    lifecycle,
    progress,
    references,
    review,
    symbols,
    sync,
    watched_files,
    workspace_symbols,
)
from server.protocol import Server
from server.session import Session

HANDLERS = (
    lifecycle,
    sync,
    watched_files,
    configuration,
    hover,
    definition,
    references,
    code_actions,
    symbols,
    workspace_symbols,
    lenses,
    inlay_hints,
    call_hierarchy,
    commands,
    citations,
    review,
    progress,
)


def build_server(version: str) -> Server:
    """A language server that is ready to be connected."""
    server = Server("counterclaim", version)
    session = Session(server)
    for handler in HANDLERS:
        handler.register(server, session)
    return server
