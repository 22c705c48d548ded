"""Our corrections to pygls 2.1.1.  Each has a test in `tests/lsp` that fails without it, to go with it one day.

What differs from pygls:

* documents belong to the session: pygls' own store splits the whole text again at each change and counts lines as
  `str.splitlines` does, which corrupts the text after a form feed;
* every future is forgotten when it is done, and `shutdown` may run while requests are in flight;
* a request that cannot be read is answered, and so is a request before `initialize` or after `shutdown`;
* an answer to a request that was cancelled meanwhile is ignored;
* error replies, logs and pop-ups name the type of an error, never its message;
* `@server.thread()` is refused, since it starves whatever shares the thread pool.
"""

import inspect
import json
import math
from collections.abc import Callable, Generator
from typing import Any, NoReturn

from cattrs import Converter
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.json_rpc import RPCRequest
from pygls.protocol.language_server import lsp_method
from pygls.workspace import Workspace

from server.logs import describe, logger

_LOG = logger("protocol")
_MAX_UINTEGER = 2**31 - 1


class HandlerError(JsonRpcException):
    """A refusal whose message may be sent to the client: it is written by us and quotes nothing of the manuscript."""


class InvalidArgumentsError(HandlerError):
    """The arguments of a command or request have the wrong shape (-32602)."""

    CODE = JsonRpcInvalidParams.CODE
    MESSAGE = JsonRpcInvalidParams.MESSAGE


class _Futures(dict[Any, Any]):
    """`shutdown` cancels the futures while it walks over them, and a cancelled future removes itself."""

    def items(self) -> Any:
        return list(super().items())


class FolderWorkspace(Workspace):
    """The folders and the negotiated position encoding.  The text of documents is the session's alone."""

    def get_text_document(self, doc_uri: str) -> NoReturn:
        """Always raises: pygls would read the disk as strict UTF-8 and count lines in its own way."""
        raise NotImplementedError("documents belong to the session")


def clean_position(value: dict[str, Any]) -> dict[str, Any]:
    """A JSON object as it is, or with its numbers brought into range if it is a position.

    Clients send -1 and 1e10 columns; a change refused for that would leave the document out of step for good.
    """
    if value.keys() != {"line", "character"}:
        return value
    numbers = {
        key: number for key, number in value.items() if isinstance(number, int | float) and not math.isnan(number)
    }
    return value | {key: int(min(max(number, 0), _MAX_UINTEGER)) for key, number in numbers.items()}


def error_reply(error: BaseException) -> lsp.ResponseError:
    """What the client is told of an error: its code and type; the message only if we wrote it ourselves."""
    if isinstance(error, HandlerError):
        return lsp.ResponseError(code=error.code, message=error.message)
    if isinstance(error, JsonRpcMethodNotFound):
        return lsp.ResponseError(code=error.code, message=error.message)
    if isinstance(error, JsonRpcException):
        return lsp.ResponseError(code=error.code, message=error.MESSAGE or type(error).__name__)
    return lsp.ResponseError(code=JsonRpcInternalError.CODE, message=f"Internal Error: {type(error).__name__}")


class Protocol(LanguageServerProtocol):
    """The language server protocol with the corrections named at the head of this file."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._request_futures = _Futures()
        self._initialized = False

    # --- incoming

    def receive(self, body: bytes) -> None:
        """Handles one message as it came over the wire.  Only a broken pipe and the end of the process get out."""
        try:
            data = json.loads(body, object_hook=clean_position)
            message = self.structure_message(data) if isinstance(data, dict) else None
            if message is not None and hasattr(message, "jsonrpc"):
                self.handle_message(message)
            else:
                _LOG.warning("ignored a message that is not JSON-RPC")
        except BrokenPipeError:
            raise
        except Exception as error:
            _LOG.error("unable to handle a message: %s", describe(error))

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The typed message for `data`; None when it cannot be read, after an answer if it is a request."""
        if "method" in data and self.get_message_type(data["method"]) is None:
            data.setdefault("params", None)  # optional in JSON-RPC, demanded by pygls for methods it does not know
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], error=error_reply(error))
            return None

    def handle_message(self, message: Any) -> None:
        """Passes a message on, unless the state of the connection forbids it."""
        if not isinstance(message, RPCRequest):
            early = not self._initialized and getattr(message, "method", lsp.EXIT) != lsp.EXIT
            if not early:
                super().handle_message(message)
        elif self._shutdown or (self._initialized and message.method == lsp.INITIALIZE):
            self._send_response(message.id, error=error_reply(JsonRpcInvalidRequest()))
        elif not self._initialized and message.method != lsp.INITIALIZE:
            self._send_response(message.id, error=error_reply(JsonRpcServerNotInitialized()))
        else:
            super().handle_message(message)

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Callable[..., Any],
        callback: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        if method_name not in self.fm.builtin_features and method_name not in self.fm.features:
            self._send_response(msg_id, error=error_reply(JsonRpcMethodNotFound.of(method_name)))
            return
        super()._handle_request(msg_id, method_name, params)

    def _handle_response(self, msg_id: Any, result: Any = None, error: lsp.ResponseError | None = None) -> None:
        future = self._request_futures.get(msg_id)
        if future is None or future.done():
            self._request_futures.pop(msg_id, None)
            return
        super()._handle_response(msg_id, result, error)

    # --- outgoing

    def notify_plain(self, method: str, params: dict[str, Any]) -> None:
        """Sends a notification whose parameters are plain JSON already.

        lsprotocol takes about 70 microseconds to serialise one diagnostic, which is most of the time of a keystroke.
        """
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        self._request_futures.pop(msg_id, None)
        error = JsonRpcRequestCancelled() if future.cancelled() else future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
            return
        if not isinstance(error, JsonRpcException):
            _LOG.error("a request failed: %s", describe(error))
        self._send_response(msg_id, error=error_reply(error))

    def _check_handler_result(self, future: Any) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            _LOG.error("a notification failed: %s", describe(error))

    def _send_data(self, data: Any) -> None:
        if not data or self.writer is None:
            return
        try:
            body = json.dumps(data, default=self._serialize_message, separators=(",", ":")).encode("ascii")
        except Exception as error:
            _LOG.error("unable to write a message: %s", describe(error))
            if isinstance(getattr(data, "id", None), int | str) and hasattr(data, "result"):
                self._send_response(data.id, error=error_reply(error))
            return
        self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    # --- built-in features

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Answers `initialize`; the workspace that holds no documents is in place before our own handler runs."""
        self._initialized = True
        steps = super().lsp_initialize(params)
        outcome: Any = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as stop:
                self._keep_folders_only()
                answer: lsp.InitializeResult = stop.value
                return answer
            self._keep_folders_only()
            outcome = yield step

    def _keep_folders_only(self) -> None:
        made = self.workspace
        self._workspace = FolderWorkspace(
            made.root_uri,
            lsp.TextDocumentSyncKind.Incremental,
            list(made.folders.values()),
            made.position_encoding,  # forgetting it would silently fall back to UTF-16
        )

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Passes the notification on; the session stores the document."""
        yield from self._pass_on(lsp.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Passes the notification on; the session changes the document."""
        yield from self._pass_on(lsp.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Passes the notification on; the session forgets the document."""
        yield from self._pass_on(lsp.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: lsp.WorkDoneProgressCancelParams) -> Generator[Any, Any, None]:
        """Passes the notification on; `server/jobs.py` keeps the tokens, since pygls never forgets one."""
        yield from self._pass_on(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL, params)

    def _pass_on(self, method: str, params: Any) -> Generator[Any, Any, None]:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None


class Server(LanguageServer):
    """A language server with the corrected protocol, and without threads for handlers."""

    protocol: Protocol

    def __init__(self, name: str, version: str) -> None:
        super().__init__(
            name,
            version,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            converter_factory=default_converter,
            max_workers=1,
        )

    def thread(self) -> NoReturn:
        """Always raises: a handler in a thread cannot be cancelled and delays the end of the process."""
        raise TypeError("handlers run on the event loop; long work belongs into server/jobs.py")

    def feature(self, feature_name: str, options: Any | None = None) -> Callable[[Any], Any]:
        """Registers a handler.  Generator functions are refused: pygls gives them a meaning of its own."""
        register = super().feature(feature_name, options)

        def decorate(handler: Any) -> Any:
            if inspect.isgeneratorfunction(handler):
                raise TypeError(f"the handler of {feature_name} is a generator function")
            return register(handler)

        return decorate

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs the type of an error.  A pop-up at each keystroke helps nobody, and messages quote the manuscript."""
        _LOG.error("%s: %s", getattr(source, "__name__", "error"), describe(error))
