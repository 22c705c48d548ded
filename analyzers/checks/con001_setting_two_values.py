"""CON001 `setting-two-values`: a setting of the experiments has one value here and another one there.

## What it flags
Learning rate, batch size, epochs, seeds, layers, dropout, optimizer and the like: text against a table of settings, text against a caption,
when both speak of the same thing: they name the same part (“the router”), the sentence refers to the float of the
caption, or one of them speaks of all results.

## Why it matters
Nobody can repeat the experiment, and readers wonder which runs are reported.

## When it stays silent
When phases, models or data sets differ, when the manuscript has three or more values of the setting, and for ranges, searches,
schedules and ablations.  Pairs without a sign that they mean the same runs are candidates only.
"""

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.macros import Macros
from analyzers.facts.references import labels, references
from analyzers.facts.settings import Setting, settings
from analyzers.finding import Candidate, Finding, Related, Severity, Tier
from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block

_TABLE = "\\begin{table}\\caption{Hyper-parameters of the router.}\\begin{tabular}{ll}\nLearning rate & $1\\times10^{-4}$ \\\\\nBatch size & 64 \\\\\n\\end{tabular}\\end{table}\n"
_WEAK = frozenset({"layers", "attention heads", "folds", "trees", "maximum depth"})
_TABLED = frozenset({"trees", "maximum depth"})  # of two models, two values are more likely than a slip
_COUNTED = frozenset({"seeds", "runs", "folds", "optimizer", "epochs"})
_TITLES = {
    name: f"number of {name}"
    for name in ("seeds", "runs", "folds", "trees", "epochs", "layers", "attention heads", "warm-up steps")
}
_PARTS = frozenset(("encoder", "decoder", "generat", "policy"))
_MOST = 60


class SettingTwoValues(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "CON001"
    name = "setting-two-values"
    tier = Tier.LINKED
    severity = Severity.INFORMATION
    languages = frozenset({"en"})
    examples = (
        Example.of(
            "Text against table",
            f"The router is trained with a learning rate of $3\\times10^{{-4}}$.\n\n{_TABLE}",
            "$1\\times10^{-4}$",
        ),
        Example.of(
            "All results against a caption",
            "All results are averaged over 3 seeds.\n\n\\begin{figure}\\caption{Accuracy, averaged over 5 seeds.}\\end{figure}",
            "5",
        ),
        Example.of(
            "Trained so many times",
            "Every network is trained four times with different seeds.\n\n\\begin{table}\\caption{Accuracy, mean of three runs.}\\end{table}",
            "three",
        ),
        Example.of(
            "We train each so many times",
            "We train each model five times and report the mean.\n\n\\begin{table}\\caption{Accuracy, mean of three runs.}\\end{table}",
            "three",
        ),
        Example.of(
            "Trained so many times faster",
            "Every network is trained four times faster than before.\n\n\\begin{table}\\caption{Accuracy, mean of three runs.}\\end{table}",
        ),
        Example.of(
            "A discount factor in words",
            "We use Adam and discount with $\\gamma = 0.98$.\n\n\\begin{table}\\caption{Settings of the agent.}\\begin{tabular}{ll}\nDiscount factor $\\gamma$ & 0.95 \\\\\n\\end{tabular}\\end{table}\n",
            "0.95",
        ),
        Example.of(
            "A replay buffer",
            "The replay buffer holds $10^6$ transitions.\n\n\\begin{table}\\caption{Settings of the agent.}\\begin{tabular}{ll}\nReplay buffer size & $10^5$ \\\\\n\\end{tabular}\\end{table}\n",
            "$10^5$",
        ),
        Example.of(
            "A table across",
            "The ensemble has 400 trees with a maximum depth of 6, and its shrinkage is 0.05.\n\n"
            "\\begin{table}\\caption{Settings of the ensemble.}\\begin{tabular}{ccc}\nTrees & Maximum depth & Shrinkage \\\\\n400 & 6 & 0.10 \\\\\n\\end{tabular}\\end{table}\n",
            "0.10",
        ),
        Example.of(
            "A table across of several models",
            "The ensemble has 400 trees, and its shrinkage is 0.05.\n\n"
            "\\begin{table}\\caption{Settings.}\\begin{tabular}{lcc}\nModel & Trees & Shrinkage \\\\\nA & 300 & 0.10 \\\\\nB & 200 & 0.20 \\\\\n\\end{tabular}\\end{table}\n",
        ),
        Example.of(
            "How often it is repeated",
            "We repeat the training of every model ten times and report medians.\n\n\\begin{figure}\\caption{Accuracy; medians over 20 repetitions.}\\end{figure}",
            "20",
        ),
        Example.of(
            "How often one thing is repeated",
            "We repeat the survey of the river ten times.\n\n\\begin{figure}\\caption{Accuracy; medians over 20 repetitions.}\\end{figure}",
        ),
        Example.of(
            "How many in a batch",
            f"We use a learning rate of 1e-4 and 32 sequences per batch.\n\n{_TABLE.replace('Batch size', 'Sequences per batch')}",
            "64",
        ),
        Example.of(
            "What is per layer is no setting of all",
            f"The router has a learning rate of $3\\times10^{{-4}}$ per layer.\n\n{_TABLE}",
        ),
        Example.of(
            "The values agree", f"The router is trained with a learning rate of 0.0001 and batches of 64.\n\n{_TABLE}"
        ),
        Example.of(
            "Another phase", f"In pre-training the router has a learning rate of $3\\times10^{{-4}}$.\n\n{_TABLE}"
        ),
        Example.of("A search", f"We searched the learning rate of the router, from 0.1 to 0.001.\n\n{_TABLE}"),
        Example.of(
            "Another model",
            "The BERT encoder is trained with a batch size of 32.\n\nThe GPT-2 decoder is trained with a batch size of 64.",
        ),
    )

    def run(self, manuscript: Manuscript) -> Iterator[Finding | Candidate]:
        """At most one finding per setting; other pairs as candidates."""
        language = manuscript.language

        def read(block: Block, macros: Macros) -> tuple[Setting, ...]:
            return settings(block, macros, language)

        by_name: dict[str, list[tuple[Entry, Setting]]] = {}
        for _, entry, setting in manuscript.located(read):
            known = by_name.setdefault(setting.name, [])
            if len(known) < _MOST:
                known.append((entry, setting))
        for name, stated in by_name.items():
            if len({_value(setting) for _, setting in stated}) == 2:
                yield from self._pairs(name, stated, manuscript.macros)

    def _pairs(self, name: str, stated: list[tuple[Entry, Setting]], macros: Macros) -> Iterator[Finding | Candidate]:
        tables = sum(setting.place == "table" for _, setting in stated)
        reported = False
        for first, second in combinations(stated, 2):
            one, two = first[1], second[1]
            if _value(one) == _value(two) or (name in _TABLED and "table" not in (one.place, two.place)):
                continue
            referred = _refers(first, second, macros) or _refers(second, first, macros)
            if not referred and not _compatible(one, two):
                continue
            alone = len(stated) == 2 and tables == 1
            if not reported and (referred or _linked(name, one, two, tables, alone)):
                reported = True
                span, other = second[0].span(two.start, two.end), first[0].span(one.start, one.end)
                yield self.finding(
                    f"The {_TITLES.get(name, name)} is {two.value} here and {one.value} elsewhere.",
                    span,
                    related=(Related(other, f"{one.value} here."),),
                    evidence={"setting": name, "here": two.value, "there": one.value},
                )
            places = (first[0].span(*one.sentence), second[0].span(*two.sentence))
            yield Candidate(self.code, 0.6 if reported else 0.4, f"{name}: {one.value} and {two.value}", places)


def _value(setting: Setting) -> Decimal | str:
    return setting.number.normalize() if setting.number is not None else setting.value.lower()


def _compatible(one: Setting, two: Setting) -> bool:
    """True when nothing says that the two settings are of different things."""
    if one.sentence == two.sentence or (one.phases != two.phases and not _parts_only(one, two)):
        return False
    if one.subjects and two.subjects and not one.subjects & two.subjects:
        return False
    return one.names <= two.names or two.names <= one.names


def _parts_only(one: Setting, two: Setting) -> bool:
    """True when a table of settings stands against a sentence that names a part of the model ("the encoder is trained with …")."""
    if {one.place, two.place} != {"table", "text"}:
        return False
    table, text = (one, two) if one.place == "table" else (two, one)
    return table.hyper and not table.phases and text.phases <= _PARTS


def _refers(text: tuple[Entry, Setting], caption: tuple[Entry, Setting], macros: Macros) -> bool:
    """True when the sentence of the first refers to the float of the second, a caption."""
    if text[1].place != "text" or caption[1].place != "caption" or text[1].phases != caption[1].phases:
        return False
    start, end = text[1].sentence
    used = {reference.key for reference in references(text[0].block, macros) if start <= reference.start < end}
    return any(label.key in used for label in labels(caption[0].block, macros))


def _linked(name: str, one: Setting, two: Setting, tables: int, alone: bool) -> bool:
    """True when something says that the two settings are of the same thing."""
    if (one.universal or two.universal) and (name in _COUNTED or one.subjects & two.subjects):
        return True
    if name in _WEAK and "table" not in (one.place, two.place):
        return False
    if one.subjects & two.subjects and "text" in (one.place, two.place):
        return one.place != two.place or bool(one.names & two.names) or not (one.names | two.names)
    # A single table of settings against a sentence that names nothing of its own, or against the only one that there is.
    if tables != 1 or {one.place, two.place} != {"table", "text"} or not (one.hyper or two.hyper):
        return False
    return not one.names | two.names or (alone and len(one.names | two.names) == 1)
