"""Running a review, a contradiction pass or a re-check on one manuscript: what the command line and the editor share."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2s

from analyzers.checks import ALL_CHECKS
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.finding import Candidate, Tier
from analyzers.graph.build import graph_of
from analyzers.project.manuscript import Manuscript
from analyzers.review.account import Account, Watch, unwatched
from analyzers.review.anchors import Places
from analyzers.review.contradiction.search import (
    Contradictions,
    SearchOptions,
    find_contradictions,
)
from analyzers.review.contradiction.search import (
    planned_requests as planned_search,
)
from analyzers.review.points import Dropped, Point
from analyzers.review.port import Model, ModelRequest
from analyzers.review.prompting import VERSION
from analyzers.review.reviewers.mlr import Reviewed, ReviewOptions
from analyzers.review.reviewers.registry import REVIEWERS
from analyzers.review.schema import Review
from analyzers.review.script import TEN_PAGES, Script, references_of, script_of
from analyzers.review.tracking import Distance, Tracked, graph_distance, track
from analyzers.review.withholding import hidden_findings
from server.ledger import Ledger, Record

# The checks whose candidates are worth a verification; the findings of the others play no part here.
_CANDIDATES = Configuration(select=tuple(check.code for check in ALL_CHECKS if check.tier is Tier.CANDIDATE))


@dataclass(frozen=True)
class Prepared:
    """A manuscript that is ready to be reviewed: its lines without what is hidden, its places, its candidates."""

    root: str
    manuscript: Manuscript
    script: Script
    places: Places
    distance: Distance
    candidates: tuple[Candidate, ...] = ()
    references: tuple[str, ...] = ()

    def requests(self, reviewer: str, options: ReviewOptions) -> tuple[ModelRequest, ...]:
        """The requests of a review before anything is asked."""
        return REVIEWERS[reviewer].requests(self.script, options)

    def search_requests(self, options: SearchOptions) -> tuple[ModelRequest, ...]:
        """The requests of a contradiction pass before anything is asked."""
        return planned_search(self.manuscript, self.script, self.candidates, options)


@dataclass(frozen=True, slots=True)
class Made:
    """What a run gave, as it stands in the ledger and in a report."""

    record: Record
    review: Review
    points: tuple[Tracked, ...]
    account: Account
    dropped: Dropped
    notes: tuple[str, ...] = ()
    undecided: int = 0
    refuted: int = 0


def prepared(manuscript: Manuscript, ten_pages: bool = False, candidates: bool = True) -> Prepared:
    """Prepares a manuscript.  What is hidden is found anew here, so that no setting can let it through."""
    hidden = hidden_findings(manuscript)
    pairs = analyse(manuscript, _CANDIDATES, candidates=True).candidates if candidates else ()
    return Prepared(
        manuscript.root,
        manuscript,
        script_of(manuscript, hidden, TEN_PAGES if ten_pages else None),
        Places(manuscript),
        graph_distance(graph_of(manuscript)),
        pairs,
        references_of(manuscript, hidden),
    )


async def run_review(
    ready: Prepared, model: Model, reviewer: str, options: ReviewOptions, made: str, watch: Watch = unwatched
) -> Made:
    """One review.  `made` is the time in ISO format."""
    chosen = REVIEWERS[reviewer]
    reviewed: Reviewed = await chosen.run(ready.script, model, options, watch)
    record = _record(ready, made, reviewer, reviewed.account, reviewed.complete, reviewed.dropped, reviewed.notes)
    record = replace(
        record, form=options.form, recommendation=reviewed.review.recommendation, scores=dict(reviewed.review.scores)
    )
    points = track(reviewed.review.points, ready.script, ready.places, ready.root)
    return Made(record, reviewed.review, points, reviewed.account, reviewed.dropped, reviewed.notes)


async def run_contradictions(
    ready: Prepared, model: Model, options: SearchOptions, made: str, watch: Watch = unwatched
) -> Made:
    """One contradiction pass."""
    found = await find_contradictions(ready.manuscript, ready.script, ready.candidates, model, options, watch)
    return of_contradictions(ready, found, made)


def of_contradictions(ready: Prepared, found: Contradictions, made: str) -> Made:
    """What a contradiction pass gave, as the ledger takes it."""
    record = _record(ready, made, "contradictions", found.account, found.complete, found.dropped, found.notes)
    points: tuple[Point, ...] = found.points
    return Made(
        record,
        Review(points),
        track(points, ready.script, ready.places, ready.root),
        found.account,
        found.dropped,
        found.notes,
        len(found.undecided),
        len(found.refuted),
    )


def keep(ledger: Ledger, made: Made) -> int:
    """Writes a run into the ledger; returns how many points are new.  Raises LedgerError."""
    return ledger.add(made.record, made.points) if made.points or made.review.recommendation else 0


def review_name(root: str, text: str, what: str) -> str:
    """The name of a review in the account: the same work on the same text has the same name, and one budget."""
    return blake2s("\x00".join((root, what, text)).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _record(
    ready: Prepared,
    made: str,
    reviewer: str,
    account: Account,
    complete: bool,
    dropped: Dropped,
    notes: Iterable[str],
) -> Record:
    usage = account.usage
    return Record(
        review_name(ready.root, made, reviewer),
        ready.root,
        made,
        reviewer,
        tuple(account.models),
        cost_microusd=account.cost_microusd,
        input_tokens=usage.all_input,
        output_tokens=usage.output_tokens,
        complete=complete,
        dropped_anchors=dropped.anchors,
        notes=tuple(notes),
        prompts=VERSION,
    )
