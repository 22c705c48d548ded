"""`workspace/executeCommand`.  Commands take one object, or nothing, and answer at once; long work runs as a job."""

from typing import Any

from lsprotocol import types as lsp

from server.arguments import file_in, folders_in, given_in, text_in
from server.convert import workspace_edit
from server.edits import safe_edits
from server.folders import Folder
from server.jobs import Job
from server.protocol import InvalidArgumentsError, Server
from server.rules import explained, rule_called
from server.session import Session

CHECK = "counterclaim.check"
FIX_ALL_COMMAND = "counterclaim.fixAll"
DISMISS = "counterclaim.dismiss"
RESTORE = "counterclaim.restore"
STATUS = "counterclaim.status"
EXPLAIN = "counterclaim.explain"
CANCEL = "counterclaim.cancel"
_CHECK_SECONDS = 300.0
_DEFAULT_REASON = "dismissed in the editor"


def register(server: Server, session: Session) -> None:
    """Registers the commands."""

    @server.command(CHECK)
    def check(*arguments: Any) -> dict[str, Any]:
        folders = folders_in(session, given_in(arguments))

        async def work(job: Job) -> str:
            for number, folder in enumerate(folders):
                job.report(f"{number + 1} of {len(folders)}", 100 * number // len(folders))
                await session.check_again(folder)
            return "Checked."

        token = session.jobs.start("Checking the manuscript", work, _CHECK_SECONDS)
        return {"token": token}

    @server.command(FIX_ALL_COMMAND)
    def fix_all(*arguments: Any) -> dict[str, Any]:
        file = file_in(session, given_in(arguments))
        if file is None:
            return {"message": "No document is open."}
        edits = safe_edits(session.findings(file.folder, file.path))
        edit = workspace_edit(edits, session.border(file.folder), session.takes_versions) if edits else None
        if edit is None:
            return {"message": "There is no safe fix in this file.", "edits": 0}

        async def work(_: Job) -> None:
            params = lsp.ApplyWorkspaceEditParams(edit=edit, label="Apply all safe fixes")
            await server.workspace_apply_edit_async(params)

        session.jobs.start("Applying fixes", work)
        return {"edits": len(edits)}

    @server.command(DISMISS)
    def dismiss(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        fingerprint = text_in(given, "fingerprint")
        file = file_in(session, given)
        if fingerprint is None or file is None:
            raise InvalidArgumentsError("`uri` of an open document and `fingerprint` of a finding are needed")
        finding = next((f for f in session.findings(file.folder, file.path) if f.fingerprint == fingerprint), None)
        if finding is None:
            return {"message": "This finding is gone already."}
        file.folder.dismissed.add(finding, text_in(given, "reason") or _DEFAULT_REASON)
        session.show(file.folder)
        return {"dismissed": finding.code}

    @server.command(RESTORE)
    def restore(*arguments: Any) -> dict[str, Any]:
        given = given_in(arguments)
        file = file_in(session, given) if "uri" in given else None
        if file is not None:
            count = file.folder.dismissed.clear(file.path)
            session.show(file.folder)
        else:
            count = 0
            for folder in session.folders.all():
                count += folder.dismissed.clear()
                session.show(folder)
        return {"message": f"{count} dismissed findings are shown again.", "restored": count}

    @server.command(STATUS)
    def status(*arguments: Any) -> dict[str, Any]:
        folders = [_status(folder) for folder in folders_in(session, given_in(arguments))]
        return {"message": "\n".join(item["message"] for item in folders) or "No document is open.", "folders": folders}

    @server.command(EXPLAIN)
    def explain(*arguments: Any) -> dict[str, Any]:
        code = text_in(given_in(arguments, "code"), "code")
        check = rule_called(code) if code else None
        if check is None:
            raise InvalidArgumentsError("`code` of a check is needed")
        return {"code": check.code, "text": explained(check)}

    @server.command(CANCEL)
    def cancel(*arguments: Any) -> dict[str, Any]:
        token = text_in(given_in(arguments, "token"), "token")
        if token is None:
            session.jobs.cancel_all()
            return {"cancelled": True}
        return {"cancelled": session.jobs.cancel(token)}


def _status(folder: Folder) -> dict[str, Any]:
    outcome = folder.outcome
    place = str(folder.place) if folder.place is not None else "documents that were never saved"
    if outcome is None:
        return {"workspace": place, "message": f"{place}: not analysed yet.", "roots": []}
    roots = []
    lines = [f"Workspace {place}"]
    for root, found in sorted(outcome.roots.items()):
        manuscript = found.analysis.manuscript
        closed = "complete" if manuscript.closed else "open: checks across files stay silent"
        lines.append(f"Root {root}: {len(manuscript.files)} files, {len(found.analysis.findings)} findings, {closed}")
        if found.settings.path:
            lines.append(f"Settings {found.settings.path}")
        roots.append({
            "root": root,
            "files": sorted(manuscript.files),
            "closed": manuscript.closed,
            "settings": found.settings.path,
            "findings": len(found.analysis.findings),
        })  # fmt: skip
    lines += [note.message for note in outcome.notes]
    if len(folder.dismissed):
        lines.append(f"{len(folder.dismissed)} findings are dismissed.")
    notes = [note.message for note in outcome.notes]
    return {"workspace": place, "message": "\n".join(lines), "roots": roots, "notes": notes}
