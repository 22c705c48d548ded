"""Is a point settled by a change?  One small question about one point: the lines before, the lines now."""

from dataclasses import dataclass

from analyzers.review.account import Account
from analyzers.review.anchors import hash_of
from analyzers.review.contradiction.pairs import passage
from analyzers.review.port import Model, ModelRequest, Role, Segment, Speaker, Turn
from analyzers.review.prompting import fenced, instruction, system
from analyzers.review.schema import RECHECK_SCHEMA
from analyzers.review.script import Script
from analyzers.review.tracking import Tracked

_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Rechecked:
    """The answer: `addressed` is yes, partly or no; `explanation` one sentence; None when there was no usable answer."""

    addressed: str
    explanation: str


def recheck_request(tracked: Tracked, script: Script) -> ModelRequest:
    """The question about one point.  Only text that stands in the script is sent, so nothing hidden is."""
    ids = [name for anchor in tracked.here if (name := script.at(anchor.span)) is not None]
    after = script.text(passage(script, ids, around=2)).strip() or "(The text is gone.)"
    before = "\n".join(f"- {text}" for text in tracked.about)
    text = "\n\n".join((fenced("point", tracked.point.text), fenced("before", before), fenced("after", after)))
    return ModelRequest(
        Role.VERIFY,
        system("verify-system"),
        (Turn(Speaker.USER, (Segment(text + "\n\n"), Segment(instruction("recheck")))),),
        RECHECK_SCHEMA,
        "recheck",
        _TOKENS,
        purpose="re-checking a point",
    )


async def recheck(tracked: Tracked, script: Script, model: Model, account: Account) -> Rechecked | None:
    """Asks; None without a usable answer, which leaves the point as it is."""
    outcome = await account.ask(model, recheck_request(tracked, script))
    data = outcome.data if outcome.answered and isinstance(outcome.data, dict) else {}
    addressed, explanation = data.get("addressed"), data.get("explanation")
    if addressed not in ("yes", "partly", "no") or not isinstance(explanation, str):
        return None
    return Rechecked(str(addressed), explanation.strip()[:1_000])


def asked_about(tracked: Tracked) -> str:
    """What a re-check of the point would see of the text, as a hash: unchanged text is not asked about twice."""
    return hash_of("\x00".join(anchor.text for anchor in tracked.here))
