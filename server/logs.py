"""What may be written to stderr: levels, types and places, never a word of a manuscript."""

import logging
import sys
import threading
import traceback
from types import TracebackType

OURS = "counterclaim"
"""The root of our own loggers; only their arguments are trusted to hold no text of a manuscript."""


def logger(name: str) -> logging.Logger:
    """Our logger for one subject, such as `counterclaim.session`."""
    return logging.getLogger(f"{OURS}.{name}")


def describe(error: BaseException) -> str:
    """Type and place of an error, without its message: messages quote values, and values are the author's text."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    return f"{type(error).__name__} at {last.filename}:{last.lineno} in {last.name}"


class DiscreetFormatter(logging.Formatter):
    """Writes our own messages in full, but only the template of a library's message and only the type of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """One line: level, logger, message, and the type and place of an exception if there is one."""
        error = record.exc_info[1] if record.exc_info else None
        parts = [record.levelname, record.name, self._message(record)]
        if error is not None:
            parts.append(describe(error))
        return " ".join(part for part in parts if part)

    def _message(self, record: logging.LogRecord) -> str:
        if record.name == OURS or record.name.startswith(f"{OURS}."):
            return record.getMessage()
        # asyncio and cattrs put values into the message itself; pygls keeps them in the arguments
        template = str(record.msg) if record.args or record.name.startswith("pygls") else ""
        return template.splitlines()[0] if template else ""


class StderrHandler(logging.Handler):
    """Writes to whatever stderr is at the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Writes one record; a closed stderr loses it."""
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except Exception:
            self.handleError(record)


def configure(level: str = "warning") -> None:
    """Sends every log to stderr.  At `debug` messages are written in full, with the manuscript in them."""
    debug = level.lower() == "debug"
    handler = StderrHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s") if debug else DiscreetFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # at INFO pygls writes the body of every message it sends
    logging.getLogger("pygls").setLevel(logging.DEBUG if debug else logging.WARNING)
    # a log that cannot be written would be reported with the error that was being handled, and its message
    logging.raiseExceptions = debug
    if not debug:
        sys.excepthook = _uncaught
        threading.excepthook = _uncaught_in_thread


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        logger("crash").critical("uncaught error", exc_info=(kind, error, trace))


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        _uncaught(args.exc_type, args.exc_value, args.exc_traceback)
