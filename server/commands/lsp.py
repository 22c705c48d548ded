"""`counterclaim lsp`: the language server over standard streams, or over one loopback connection for debugging."""

import sys

LEVELS = ("error", "warning", "info", "debug")
_SWITCH_SECONDS = 0.001


def run_lsp(version: str, port: int | None = None, level: str = "warning") -> int:
    """Serves until the client ends it; returns the exit code.

    `port` listens on 127.0.0.1 instead of the standard streams (0 takes a free one and logs it).  At `level` debug the
    log on stderr holds the manuscript, at every other level no word of it.
    """
    from server import logs
    from server.app import build_server
    from server.streams import serve_stdio, serve_tcp

    logs.configure(level)
    # an analysis in its thread must not keep the event loop waiting for the usual 5 ms at each turn
    sys.setswitchinterval(_SWITCH_SECONDS)
    server = build_server(version)
    return serve_tcp(server, port) if port is not None else serve_stdio(server)
