"""`counterclaim graph --refine`: the graph with what a language model proposes, asked for as a review asks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.commands.graph import GraphOptions, manuscript_at, problem_of, report_of, written
from server.commands.review_parts import ModelOptions, consent_of, consented, model_of, setup_of
from server.commands.review_parts import problem_of as problem_of_models
from server.commands.terminal import INCOMPLETE, OK, USAGE, say

if TYPE_CHECKING:
    from pathlib import Path

    from analyzers.finding import Finding
    from analyzers.graph.refine import Plan, Refined
    from analyzers.project.manuscript import Manuscript
    from analyzers.review.account import Account
    from analyzers.review.port import Model, ModelRequest, Outcome
    from server.commands.bar import Advance
    from server.model_consent import ModelConsent
    from server.report.graph_model import GraphReport
    from server.review_models import ModelSetup


@dataclass(frozen=True, slots=True)
class _Ready:
    root: str
    manuscript: "Manuscript"
    findings: "tuple[Finding, ...]"
    plan: "Plan"


def run_refined_graph(options: GraphOptions, models: ModelOptions) -> int:
    """Write refined graphs: 0, or 2 when a part has no usable answer (the graph stands without it), 64 for wrong usage."""
    import asyncio

    from analyzers.graph.refine import plan
    from server.checking import target_of

    problem = problem_of_models(models)
    if problem:
        say(problem)
        return USAGE
    target = target_of(options.path, options.workspace)
    code = problem_of(options, target)
    if code is not None:
        return code
    setup = setup_of(models)
    ready = []
    for root in target.roots:
        read = manuscript_at(target, root, contradictions=options.contradictions)
        if read is not None:
            ready.append(_Ready(root, *read, plan(read[0])))
    if models.dry_run:
        for one in ready:
            print(_disclosed(one, setup))
        return OK if len(ready) == len(target.roots) else INCOMPLETE
    consent = consent_of(models)
    requests = [request for one in ready for request in one.plan.requests]

    def shown() -> str:
        return "\n".join(_disclosed(one, setup) for one in ready)

    if models.replay is None and not consented(models, target.workspace, requests, shown, setup, consent):
        return USAGE
    try:
        reports, complete = asyncio.run(_all(ready, models, target.workspace, setup, consent))
    except KeyboardInterrupt:
        say("Stopped. What was answered is kept; a repeated run asks for the rest only.")
        return 130
    return written(options, reports, OK if complete and len(ready) == len(target.roots) else INCOMPLETE)


async def _all(
    ready: Sequence[_Ready], models: ModelOptions, workspace: "Path", setup: "ModelSetup", consent: "ModelConsent"
) -> "tuple[list[GraphReport], bool]":
    """The refined graphs, one manuscript after the other, and whether every part of all has a usable answer."""
    from analyzers.graph.build import with_findings
    from analyzers.graph.refine import refine
    from analyzers.review.account import Account
    from server.commands.bar import progress_bar

    reports, complete = [], True
    with progress_bar(models.quiet) as advance:
        for one in ready:
            asked = one.plan.requests
            account = Account(_watch(one.root, advance), len(asked))
            text = "".join(segment.text for request in asked for turn in request.turns for segment in turn.segments)
            async with model_of(models, "graph", workspace, one.root, text, setup, consent) as model:
                refined = await refine(one.manuscript, _Counted(model, account), {})
            _tell(one.root, refined, account)
            complete = complete and bool(asked) and not refined.failures
            reports.append(report_of(with_findings(refined.graph, one.findings), one.manuscript))
    return reports, complete


class _Counted:
    """A model whose calls are taken into an account."""

    def __init__(self, model: "Model", account: "Account") -> None:
        self._model = model
        self._account = account

    async def ask(self, request: "ModelRequest") -> "Outcome":
        """The outcome of the model behind."""
        return await self._account.ask(self._model, request)

    async def count(self, request: "ModelRequest") -> int:
        """The count of the model behind."""
        return await self._model.count(request)


def _watch(root: str, advance: "Advance") -> "Callable[..., None]":
    from analyzers.review.account import Progress, money

    def watch(now: Progress) -> None:
        advance(f"{root}: {now.stage} ({now.usage.all_input:,} tokens, {money(now.cost_microusd)})", now.share)

    return watch


def _tell(root: str, refined: "Refined", account: "Account") -> None:
    from analyzers.review.account import bound, money

    if not refined.asked:
        say(f"{root}: there is no text that a model could refine the graph from; nothing was sent.")
        return
    for failure in refined.failures[:5]:
        say(f"{root}: {failure}.")
    if refined.failures:
        say(f"{root}: {len(refined.failures)} of the parts have no usable answer; the graph stands as it was there.")
    say(f"{root}: {refined.kept} proposals were merged, {refined.dropped} without an existing place were dropped.")
    spared = f" {account.replayed} answers were there already." if account.replayed else ""
    usage = account.usage
    say(f"{root}: {bound(usage.all_input, usage.output_tokens)}, {money(account.cost_microusd)}.{spared}")


def _disclosed(one: _Ready, setup: "ModelSetup") -> str:
    """What would be sent, for people."""
    from analyzers.review.account import money
    from analyzers.review.consent import described
    from server.review_models import counted_disclosure

    plan = one.plan
    disclosure = counted_disclosure(plan.characters, plan.requests, plan.withheld, setup)
    return f"{one.root}\n{described(disclosure, money(disclosure.cost_microusd))}"
