"""What a review has cost so far, what failed, and telling whoever watches."""

from collections.abc import Callable
from dataclasses import dataclass, field

from analyzers.review.port import HOPELESS, Model, ModelRequest, Outcome, OutcomeKind, Usage


@dataclass(frozen=True, slots=True)
class Failure:
    """A call without a usable answer: which stage, why, and what the provider said."""

    stage: str
    kind: OutcomeKind
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a review stands.  `cost_microusd` is None when a price is unknown; `replayed` counts answers that cost nothing."""

    stage: str
    done: int
    total: int
    usage: Usage
    cost_microusd: int | None
    replayed: int = 0

    @property
    def share(self) -> float:
        """The share done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


Watch = Callable[[Progress], None]


def unwatched(_: Progress) -> None:
    """For whoever does not watch."""


@dataclass(slots=True)
class Account:
    """Every call of one review.  `usage` is what was paid for now, `spared` what came from cache or recording."""

    watch: Watch = unwatched
    total: int = 0
    done: int = 0
    usage: Usage = field(default_factory=Usage)
    spared: Usage = field(default_factory=Usage)
    cost_microusd: int | None = 0
    replayed: int = 0
    failures: list[Failure] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    stopped: bool = False

    async def ask(self, model: Model, request: ModelRequest) -> Outcome:
        """Asks, books and reports.  After an outcome that makes further calls senseless nothing more is asked."""
        if self.stopped:
            return Outcome(OutcomeKind.NOT_ALLOWED, detail="An earlier call said that no further one is sensible.")
        self._report(request.purpose)
        outcome = await model.ask(request)
        self.book(outcome, request.purpose)
        self._report(request.purpose)
        return outcome

    def book(self, outcome: Outcome, stage: str) -> None:
        """Takes a call into the account, whatever became of it."""
        self.done += 1
        if outcome.model:
            self.models[outcome.model] = None
        if outcome.replayed:
            self.replayed += 1
            self.spared += outcome.usage
        else:
            self.usage += outcome.usage
            if self.cost_microusd is not None and outcome.usage.calls:
                known = outcome.cost_microusd
                self.cost_microusd = None if known is None else self.cost_microusd + known
        if not outcome.answered:
            self.failures.append(Failure(stage, outcome.kind, outcome.detail))
            self.stopped = self.stopped or outcome.kind in HOPELESS

    def _report(self, stage: str) -> None:
        total = max(self.total, self.done)
        self.watch(Progress(stage, self.done, total, self.usage, self.cost_microusd, self.replayed))


def money(microusd: int | None) -> str:
    """An amount as it is shown: `$0.0123`, or that it is unknown."""
    return "unknown cost" if microusd is None else f"${microusd / 1_000_000:.4f}"


def bound(tokens_in: int, tokens_out: int) -> str:
    """Token counts as they are shown."""
    return f"{tokens_in:,} input and {tokens_out:,} output tokens"
