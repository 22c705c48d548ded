"""The reviewers by name.  A new one is a module here and a line below."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from analyzers.review.account import Watch
from analyzers.review.port import Model, ModelRequest
from analyzers.review.reviewers import mlr
from analyzers.review.script import Script

Run = Callable[[Script, Model, mlr.ReviewOptions, Watch], Awaitable[mlr.Reviewed]]


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A way to review: what it is called, what it does, how it runs and what it will ask."""

    name: str
    about: str
    run: Run
    requests: Callable[[Script, mlr.ReviewOptions], tuple[ModelRequest, ...]]


async def _combined(script: Script, model: Model, options: mlr.ReviewOptions, watch: Watch) -> mlr.Reviewed:
    return await mlr.review_manuscript(script, model, replace(options, combined=True), watch)


def _combined_requests(script: Script, options: mlr.ReviewOptions) -> tuple[ModelRequest, ...]:
    return mlr.planned_requests(script, replace(options, combined=True))


REVIEWERS: Mapping[str, Reviewer] = {
    reviewer.name: reviewer
    for reviewer in (
        Reviewer(
            "mlr", "outline, close reading and synthesis, three calls", mlr.review_manuscript, mlr.planned_requests
        ),
        Reviewer(
            "mlr-combined", "the three passes in one call, at a third of the price", _combined, _combined_requests
        ),
    )
}
