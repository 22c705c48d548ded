"""The running ledger: short statements of other parts of the paper that a window has to agree with.

It begins with what the facts know for nothing (main claims, settings, meanings of symbols) and grows by what the reader of each
window writes down.  Section windows with such a summary found several times as much as one reading of the whole text in a
published perturbation study (OpenAIReview).
"""

from collections.abc import Iterable

from analyzers.facts.settings import settings
from analyzers.facts.symbols import symbol_meanings
from analyzers.facts.view import prose_of
from analyzers.graph.build import graph_of
from analyzers.project.manuscript import Manuscript
from analyzers.review.points import Dropped, existing
from analyzers.review.port import JsonValue
from analyzers.review.script import Line, Script, tokens_in
from analyzers.text.spans import Span

_MAX_SEEDS = 40
_MAX_STATEMENT = 200


class Ledger:
    """Statements by the ids of their lines, bounded in tokens: the oldest of a reader go first, the seeds stay."""

    def __init__(self, script: Script, seeds: Iterable[tuple[str, str]] = (), limit: int = 700) -> None:
        self._script = script
        self._limit = limit
        self._seeds: list[tuple[str, str]] = []
        used = 0
        for name, text in seeds:
            used += tokens_in(text) + 4
            if used > limit // 2:
                break
            self._seeds.append((name, text))
        self._added: list[tuple[str, str]] = []

    def take(self, data: JsonValue, dropped: Dropped) -> None:
        """The entries that a reader wrote."""
        items = data.get("ledger") if isinstance(data, dict) else None
        for item in items[:12] if isinstance(items, list) else ():
            if not isinstance(item, dict) or not isinstance(item.get("statement"), str):
                continue
            ids = existing(item.get("ids"), self._script, dropped)
            if ids:
                text = " ".join(str(item["statement"]).split())[:_MAX_STATEMENT]
                self._added.append((", ".join(ids[:3]), text))
        self._shorten()

    def text(self, without: frozenset[str]) -> str:
        """The entries that do not only speak of the lines `without`."""
        lines = [
            f"[{name}] {text}" for name, text in (*self._seeds, *self._added) if not {*name.split(", ")} <= without
        ]
        return "\n".join(lines)

    def _shorten(self) -> None:
        room = self._limit - sum(tokens_in(text) + 4 for _, text in self._seeds)
        kept: list[tuple[str, str]] = []
        for name, text in reversed(self._added):
            room -= tokens_in(text) + 4
            if room < 0:
                break
            kept.append((name, text))
        self._added = kept[::-1]


def seeds(manuscript: Manuscript, script: Script) -> tuple[tuple[str, str], ...]:
    """Main claims as they stand, then settings and symbols in short, each with the id of its line."""
    found: dict[tuple[str, str], None] = {}
    for node in graph_of(manuscript).nodes:
        line = _line(script, node.spans[0]) if node.is_main and node.spans else None
        if line is not None:
            found[line.id, line.text[:_MAX_STATEMENT]] = None
    for _, entry in manuscript.body:
        for setting in settings(entry.block, manuscript.macros, manuscript.language):
            line = _line(script, entry.span(setting.start, setting.end))
            # A line shows what is printed; what stands in the source only must not get into a prompt this way.
            if line is not None and setting.value in line.text:
                names = ", ".join([name for name in sorted(setting.names) if name in line.text][:2])
                found[line.id, f"{setting.name} = {setting.value}" + (f" ({names})" if names else "")] = None
        meanings = symbol_meanings(entry.block, manuscript.macros)
        for symbol in meanings:
            prose = prose_of(entry.block, manuscript.macros)
            line = _line(script, entry.span(*prose.source(symbol.start, symbol.end)))
            if line is not None and symbol.meaning in line.text:
                found[line.id, f"{symbol.symbol}: {symbol.meaning}"] = None
    return tuple(found)[:_MAX_SEEDS]


def _line(script: Script, span: Span) -> Line | None:
    name = script.at(span)
    return script.line_of(name) if name is not None else None
