"""Verification: ask the sources about an entry, local ones first, and judge the answers.

Nothing here knows a network; `sources` are given, and without an online one nothing leaves the machine.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from analyzers.citations.record import Entry, Identifier, Scheme
from analyzers.citations.source import BibliographicSource, Outcome, TitleQuery, Unavailable
from analyzers.citations.verdict import Answer, Verdict, VerdictKind, judge

CONCURRENT_ENTRIES = 8


async def verify_entry(entry: Entry, sources: Sequence[BibliographicSource], today: date) -> Verdict:
    """The verdict on one entry.

    Local sources are asked first, then online ones about identifiers, at last by title.  What is confirmed is not searched
    for any more; identifiers of what local sources confirm are still looked up, since only online sources know of
    retractions.  Cancelling stops all questions.
    """
    local = [source for source in sources if not source.online]
    online = [source for source in sources if source.online]
    answers: list[Answer] = []
    for source in local:
        answers.extend(await _ask(source, entry, entry.identifiers, search=True))
    verdict = judge(entry, answers, today)
    if not online:
        return verdict
    confirmed = verdict.kind is VerdictKind.VERIFIED
    if confirmed and verdict.record is not None and verdict.record.doi and not entry.doi:
        found = Identifier(Scheme.DOI, verdict.record.doi)
        # The entry does not claim this DOI, so what stands behind it cannot be a conflict.
        more = await asyncio.gather(*(_guarded(source, found) for source in online))
        answers.extend(Answer(source, None, outcome) for source, outcome in zip(online, more, strict=True))
    asked = await asyncio.gather(*(_ask(source, entry, entry.identifiers, search=False) for source in online))
    answers.extend(answer for batch in asked for answer in batch)
    if confirmed or judge(entry, answers, today).kind is VerdictKind.VERIFIED:
        return judge(entry, answers, today)
    asked = await asyncio.gather(*(_ask(source, entry, (), search=True) for source in online))
    answers.extend(answer for batch in asked for answer in batch)
    return judge(entry, answers, today)


async def _ask(
    source: BibliographicSource, entry: Entry, identifiers: Iterable[Identifier], *, search: bool
) -> list[Answer]:
    answers = [Answer(source, identifier, await _guarded(source, identifier)) for identifier in identifiers]
    if search and entry.title:
        query = TitleQuery(entry.title, entry.authors, entry.year)
        answers.append(Answer(source, None, await _guarded(source, query)))
    return answers


async def _guarded(source: BibliographicSource, question: Identifier | TitleQuery) -> Outcome:
    """The outcome; an exception of an adapter is a source that did not answer, never a reason to lose the others' answers."""
    try:
        if isinstance(question, Identifier):
            return await source.look_up(question)
        return await source.search(question)
    except Exception as error:
        return Unavailable(f"failed ({type(error).__name__})")


async def verify_all(
    entries: Sequence[Entry],
    sources: Sequence[BibliographicSource],
    today: date,
    done: Callable[[int, Verdict], None] | None = None,
    concurrent: int = CONCURRENT_ENTRIES,
) -> list[Verdict]:
    """Verdicts in the order of `entries`, each judged alone; `done(position, verdict)` is called as they come in.

    Entries are asked about a few at a time; sources keep their own pace.  Without online sources it gives way to the event
    loop between entries, so that it can be cancelled.
    """
    verdicts: dict[int, Verdict] = {}
    waiting = iter(range(len(entries)))

    async def work() -> None:
        for position in waiting:
            await asyncio.sleep(0)
            verdicts[position] = await verify_entry(entries[position], sources, today)
            if done is not None:
                done(position, verdicts[position])

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, min(concurrent, len(entries)))):
            group.create_task(work())
    return [verdicts[position] for position in range(len(entries))]
