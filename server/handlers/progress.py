"""`window/workDoneProgress/cancel`: ends a job."""

from lsprotocol import types as lsp

from server.protocol import Server
from server.session import Session


def register(server: Server, session: Session) -> None:
    """Registers the handler."""

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel(params: lsp.WorkDoneProgressCancelParams) -> None:
        session.jobs.cancel(params.token)
