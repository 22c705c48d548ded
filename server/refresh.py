"""Asking the client to fetch lenses and hints again after an analysis; only clients that say they can are asked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from server.logs import describe

if TYPE_CHECKING:
    from server.session import Session

_LOG = logging.getLogger(__name__)
_TASKS: set[asyncio.Task[None]] = set()
_SECONDS = 10.0


def refresh(session: "Session") -> None:
    """Lenses and hints are made from the analysis, so a new one makes those on the screen old."""
    workspace = session.capabilities.workspace
    lenses = workspace.code_lens if workspace else None
    hints = workspace.inlay_hint if workspace else None
    if lenses is not None and lenses.refresh_support:
        _start(session.server.workspace_code_lens_refresh_async)
    shown = session.options.graph.get("hints") is True or session.options.numbers.get("hints") is True
    if shown and hints is not None and hints.refresh_support:
        _start(session.server.workspace_inlay_hint_refresh_async)


def _start(ask: Callable[[Any], Awaitable[Any]]) -> None:
    task = asyncio.get_running_loop().create_task(_asked(ask))
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)


async def _asked(ask: Callable[[Any], Awaitable[Any]]) -> None:
    try:
        await asyncio.wait_for(ask(None), _SECONDS)
    except Exception as error:  # a courtesy: the client asks again anyway
        _LOG.info("the client does not refresh: %s", describe(error))
