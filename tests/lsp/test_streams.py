"""The server as a process: nothing but messages on stdout, a quick end, one client on the loopback interface."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

ROOT = Path(__file__).parents[2]
SERVER = """
import ctypes, os, sys, time
from server import logs
from server.jobs import Executor, Jobs
from server.protocol import Server
from server.streams import serve_stdio, serve_tcp

logs.configure("info")
server = Server("probe", "1")
executor = Executor()

@server.feature("x/print")
def x_print(params):
    print("zebrafinch from Python", flush=True)
    os.write(1, b"zebrafinch from C\\n")
    return {"printed": True}

@server.feature("x/echo")
def x_echo(params):
    return {"text": params.text}

@server.feature("x/block")
async def x_block(params):
    await executor.run(lambda token: time.sleep(30))

sys.exit(serve_tcp(server, int(sys.argv[1])) if len(sys.argv) > 1 else serve_stdio(server))
"""


class Client:
    """Framed JSON over two byte streams."""

    def __init__(self, out: IO[bytes], into: IO[bytes]) -> None:
        self.out, self.into = out, into

    def send(self, head: str = "Content-Length: {}\r\n\r\n", **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.into.write(head.format(len(body)).encode() + body)
        self.into.flush()

    def read(self) -> dict[str, Any]:
        length = 0
        while (line := self.out.readline()).strip():
            assert re.fullmatch(rb"Content-Length: \d+\r\n", line), line
            length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.out.read(length))
        return message

    def request(self, number: int, method: str, params: Any = None) -> dict[str, Any]:
        self.send(id=number, method=method, params=params)
        while True:
            message = self.read()
            if message.get("id") == number:
                return message

    def initialize(self) -> None:
        self.request(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})


def spawn(*arguments: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", SERVER, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with spawn() as running:
        yield running
        running.kill()


@pytest.fixture
def client(process: subprocess.Popen[bytes]) -> Client:
    assert process.stdout is not None
    assert process.stdin is not None
    client = Client(process.stdout, process.stdin)
    client.initialize()
    return client


def errors(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    return process.stderr.read().decode()


def test_what_is_printed_goes_to_the_log(process: subprocess.Popen[bytes], client: Client) -> None:
    assert client.request(1, "x/print", {})["result"] == {"printed": True}
    client.request(2, "shutdown")
    client.send(method="exit")
    assert process.wait(5) == 0
    assert errors(process).count("zebrafinch") == 2


def test_the_end_does_not_wait_for_threads(process: subprocess.Popen[bytes], client: Client) -> None:
    client.send(id=1, method="x/block", params={})
    assert client.request(2, "x/echo", {"text": "still here"})["result"] == {"text": "still here"}
    before = time.perf_counter()
    assert client.request(3, "shutdown")["result"] is None
    client.send(method="exit")
    assert process.wait(5) == 0
    assert time.perf_counter() - before < 2
    assert "Traceback" not in errors(process)


def test_a_client_that_goes_away_ends_the_server(process: subprocess.Popen[bytes], client: Client) -> None:
    client.into.write(b"Content-Length: 500\r\n\r\n{")
    client.into.close()
    assert process.wait(5) == 1
    assert "Traceback" not in errors(process)


def test_headers_in_other_spellings(client: Client) -> None:
    client.send(
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:{}\r\n\r\n", id=1, method="x/no"
    )
    assert client.read()["error"]["code"] == -32601
    client.send("content-length: {}\n\n", id=2, method="x/no")
    assert client.read()["error"]["code"] == -32601


def test_messages_larger_than_any_buffer(client: Client) -> None:
    text = "é𝔸" * 1_000_000
    assert client.request(1, "x/echo", {"text": text})["result"]["text"] == text


def test_tcp_serves_one_client_on_the_loopback_interface() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with spawn(str(port)) as process:
        try:
            assert process.stderr is not None
            assert b"127.0.0.1" in process.stderr.readline()
            with socket.create_connection(("127.0.0.1", port), 5) as connection:
                stream = connection.makefile("rwb")
                client = Client(stream, stream)  # type: ignore[arg-type]
                client.initialize()
                with pytest.raises(OSError):  # refused or reset, as the system likes
                    socket.create_connection(("127.0.0.1", port), 5).makefile("rb").read(1)[0]
                assert client.request(1, "shutdown")["result"] is None
                client.send(method="exit")
                assert process.wait(5) == 0
        finally:
            process.kill()
