"""CAP002 `caption-name-nowhere-else`: a caption names a data set or system that occurs nowhere else.

## What it flags
“A router picks one of four experts on SQuAD.” in a caption of a manuscript that never speaks of SQuAD.  A candidate; its other
place is the sentence that refers to the float.

## Why it matters
The figure may come from another draft or another experiment than the text describes.

## When it stays silent
When the name, in any case or hyphenation, occurs in any other block or in the bibliography; and for captions whose float nobody
refers to.
"""

import re
from collections.abc import Iterator

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.settings_captions import captions, mixed_names, referring, words
from analyzers.facts.view import prose_of
from analyzers.finding import Candidate, Severity, Tier
from analyzers.project.manuscript import Manuscript

_FIGURE = "\\begin{figure}\\caption{One of four experts on SQuAD.}\\label{fig:a}\\end{figure}\n\n"
_MOST = 15
_ON = re.compile(r"\b(?:on|from|of|in|for|using|with)\s(?:the\s)?$")


class CaptionName(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CAP002"
    name = "caption-name-nowhere-else"
    tier = Tier.CANDIDATE
    severity = Severity.HINT
    examples = (
        Example.of(
            "Nowhere else",
            f"{_FIGURE}Figure~\\ref{{fig:a}} gives an overview of the router.",
            "One of four experts on SQuAD.",
        ),
        Example.of("In the text", f"{_FIGURE}Figure~\\ref{{fig:a}} gives an overview of the router on SQUAD."),
        Example.of(
            "No name",
            "\\begin{figure}\\caption{One of four experts.}\\label{fig:a}\\end{figure}\n\nFigure~\\ref{fig:a} gives an overview.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Candidate]:
        """One candidate per name."""
        if not manuscript.complete:
            return
        named = [
            (caption, sentence, name, at)
            for caption in captions(manuscript)
            for sentence in caption.sentences
            for name, at, _ in mixed_names(sentence.text)
        ]
        if not named:
            return
        elsewhere: dict[str, set[int]] = {}
        wanted = {
            part
            for _, _, name, _ in named
            for part in (name.lower(), name.lower().rstrip("s"), *name.lower().split("-"))
        }
        for index, entry in enumerate(manuscript.entries):
            for word in words(entry.block) & wanted:
                elsewhere.setdefault(word, set()).add(index)
        by_label = referring(manuscript)
        indices = {id(entry.block): index for index, entry in enumerate(manuscript.entries)}
        made: list[Candidate] = []
        for caption, sentence, name, at in named:
            own = indices.get(id(caption.entry.block), -1)
            places = elsewhere.get(name.lower(), set()) | elsewhere.get(name.lower().rstrip("s"), set())
            # Once in the source of its own block, and there as it stands: an expanded macro is no name.
            if places - {own} or caption.entry.block.text.lower().count(name.lower()) != 1:
                continue
            if any(elsewhere.get(part.lower(), set()) - {own} for part in name.split("-")[:-1] if len(part) > 1):
                continue
            other = next((by_label[key] for key in caption.labels if key in by_label), None)
            if other is None:
                continue
            spans = (
                caption.entry.span(
                    *prose_of(caption.entry.block, manuscript.macros).source(sentence.start, sentence.end)
                ),
                other[0].span(*prose_of(other[0].block, manuscript.macros).source(other[1].start, other[1].end)),
            )
            score = 0.4 if _ON.search(sentence.text[:at]) else 0.15
            made.append(Candidate(self.code, score, f"{name} occurs in this caption only", spans))
        yield from sorted(made, key=lambda candidate: -candidate.score)[:_MOST]
