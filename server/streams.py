"""Bytes in and out: standard streams or one loopback connection, and the loop that reads messages from them."""

import asyncio
import os
import re
import sys
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from typing import Protocol as Interface

from server.logs import logger
from server.protocol import Server

_LOG = logger("streams")
_LENGTH = re.compile(rb"content-length:\s*(\d+)\s*", re.IGNORECASE)
_MAX_BODY = 256 * 1024 * 1024
_MESSAGES_PER_TURN = 64


class Writer(Interface):
    """Where the protocol writes."""

    def write(self, data: bytes) -> None:
        """Writes all of `data`."""

    def close(self) -> None:
        """Ends the stream."""


class DescriptorWriter:
    """Writes to a file descriptor of its own, so that a stray `print` cannot reach the client."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Writes all of `data`, waiting for the client if it reads slowly."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def close(self) -> None:
        """Does nothing: the descriptor ends with the process."""


async def read_messages(reader: asyncio.StreamReader, server: Server) -> None:
    """Hands each message of `reader` to the protocol until the stream ends.

    Messages that are already there are handled in one turn of the event loop, so that work scheduled by a change
    (a publish) sees the last of a burst of changes; now and then the loop gets its turn all the same.
    """
    handled = 0
    length = 0
    while line := await reader.readline():
        if match := _LENGTH.fullmatch(line.rstrip(b"\r\n")):
            length = int(match[1])
        if line.strip() or not length:
            continue
        if length > _MAX_BODY:
            raise ValueError("a message is larger than 256 MiB")
        body = await reader.readexactly(length)
        length = 0
        server.protocol.receive(body)
        handled += 1
        if handled % _MESSAGES_PER_TURN == 0:
            await asyncio.sleep(0)


async def _serve(reader: asyncio.StreamReader, writer: Writer, server: Server) -> int:
    asyncio.get_running_loop().set_exception_handler(_report)
    server.protocol.set_writer(writer)
    with suppress(asyncio.IncompleteReadError, ConnectionError, BrokenPipeError):
        await read_messages(reader, server)
    return 1  # the stream ended without `exit`


def _report(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    error = context.get("exception")
    _LOG.error("a task failed: %s", type(error).__name__ if error else context.get("message"))


def _run(main: Coroutine[Any, Any, int]) -> int:
    try:
        return asyncio.run(main)
    except SystemExit as stop:
        return int(stop.code or 0)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130


def serve_stdio(server: Server) -> int:
    """Serves one client over the standard streams; returns the exit code of the process.

    Descriptor 1 is pointed at stderr first: whatever prints, in Python or in C, lands in the client's log.
    """
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, out):  # line ends must stay what they are
            msvcrt.setmode(descriptor, os.O_BINARY)

    async def main() -> int:
        reader = asyncio.StreamReader(limit=2**16)
        loop = asyncio.get_running_loop()
        # a daemon thread of its own: a read cannot be interrupted, and must neither delay the exit nor share a pool
        threading.Thread(target=_pump, args=(0, reader, loop), name="stdin", daemon=True).start()
        return await _serve(reader, DescriptorWriter(out), server)

    return _run(main())


def _pump(descriptor: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    with suppress(RuntimeError, OSError):  # the loop may be closed by then
        while data := os.read(descriptor, 2**20):
            loop.call_soon_threadsafe(reader.feed_data, data)
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(reader.feed_eof)


def serve_tcp(server: Server, port: int) -> int:
    """Serves the first client of `port` on the loopback interface, for debugging; returns the exit code."""

    async def main() -> int:
        connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Future()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if connected.done():
                writer.close()
            else:
                connected.set_result((reader, writer))

        listener = await asyncio.start_server(accept, "127.0.0.1", port)
        _LOG.warning("listening on 127.0.0.1:%d", listener.sockets[0].getsockname()[1])
        reader, writer = await connected
        listener.close()
        return await _serve(reader, writer, server)

    return _run(main())
