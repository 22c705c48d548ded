"""Generated manuscripts for the mutation harness: small, consistent texts with one place that is then changed.

Names, numbers and wordings are drawn at random, so that no check is measured on the sentences it was written for.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

_METHODS = "Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Juniper Larch Maple Oak Poplar Rowan Spruce Willow".split()
_SETS = "Arvid Bolmen Corvus Drava Ebro Fulda Garonne Havel Inntal Jagst Kocher Lahn".split()
_METRICS = (
    ("Accuracy (\\%)", "accuracy", True),
    ("F1", "F1", True),
    ("Recall (\\%)", "recall", True),
    ("Precision (\\%)", "precision", True),
)


@dataclass(frozen=True, slots=True)
class Generated:
    """A text that is right, the range to replace, what by, and further offsets (after the change) where a finding counts."""

    text: str
    start: int
    end: int
    changed: str
    also: tuple[int, ...] = ()


def _mark(text: str, changed: str) -> Generated:
    """The text with its one `<<...>>` as the place to change."""
    start = text.index("<<")
    end = text.index(">>") - 2
    return Generated(text.replace("<<", "", 1).replace(">>", "", 1), start, end, changed)


def _slip(rng: random.Random, number: str, least: float = 0.0) -> str:
    """Another number of the same shape, one digit away, by more than `least`."""
    while True:
        at = rng.choice([i for i, c in enumerate(number) if c.isdigit()])
        digit = rng.choice([d for d in "0123456789" if d != number[at]])
        made = number[:at] + digit + number[at + 1 :]
        if made[0] == "0" and number[0] != "0":
            continue
        if abs(float(made.replace(",", "")) - float(number.replace(",", ""))) > least:
            return made


@dataclass(slots=True)
class _Results:
    methods: list[str]
    sets: list[str]
    values: list[list[float]]

    def best(self, column: int) -> int:
        column_values = [row[column] for row in self.values]
        return column_values.index(max(column_values))


def _results(rng: random.Random, rows: int, columns: int, decimals: int = 1) -> _Results:
    """Distinct values, with the winner of each column spread over the rows."""
    values = [[0.0] * columns for _ in range(rows)]
    for column in range(columns):
        base = rng.uniform(30, 80)
        steps = rng.sample(range(1, 160), rows)
        for row in range(rows):
            values[row][column] = round(base + steps[row] / 10, decimals)
    return _Results(rng.sample(_METHODS, rows), rng.sample(_SETS, columns), values)


def _tabular(head: list[str], body: list[list[str]], spec: str | None = None) -> str:
    lines = [" & ".join(row) + " \\\\" for row in body]
    columns = spec or "l" + "c" * (len(head) - 1)
    return (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n"
        + " & ".join(head)
        + " \\\\\n\\midrule\n"
        + "\n".join(lines)
        + "\n\\bottomrule\n\\end{tabular}"
    )


def _float(tabular: str, caption: str, label: str = "tab:r") -> str:
    return f"\\begin{{table}}\n\\caption{{{caption}}}\n\\label{{{label}}}\n{tabular}\n\\end{{table}}\n\n"


def _plain(results: _Results, rng: random.Random) -> list[list[str]]:
    del rng
    return [
        [name, *(f"{value:.1f}" for value in row)] for name, row in zip(results.methods, results.values, strict=True)
    ]


def abstract_digit(rng: random.Random) -> Generated:
    results = _results(rng, rng.randint(3, 6), rng.randint(2, 5))
    row, column = rng.randrange(len(results.methods)), rng.randrange(len(results.sets))
    number = f"{results.values[row][column]:.1f}"
    method, data = results.methods[row], results.sets[column]
    sentence = rng.choice(
        (
            f"On {data}, {method} reaches <<{number}>>\\% accuracy at a third of the cost.",
            f"Experiments show that {method} attains an accuracy of <<{number}>>\\% on {data}.",
            f"{method} obtains <<{number}>>\\% on {data} and needs no extra labels.",
        )
    )
    body = rng.choice(
        (
            _float(_tabular(["Method", *results.sets], _plain(results, rng)), "Accuracy (\\%)."),
            f"Table~\\ref{{tab:x}} is in the supplement. On {data}, {method} reaches {number}\\% accuracy.\n",
        )
    )
    text = f"\\begin{{document}}\n\\begin{{abstract}}\n{sentence}\n\\end{{abstract}}\n\\section{{Results}}\nWe compare all methods.\n\n{body}\\end{{document}}"
    return _mark(text, _slip(rng, number))


def linked_number(rng: random.Random) -> Generated:
    results = _results(rng, rng.randint(3, 6), rng.randint(2, 5))
    row, column = rng.randrange(len(results.methods)), rng.randrange(len(results.sets))
    number = f"{results.values[row][column]:.1f}"
    method, data = results.methods[row], results.sets[column]
    sentence = rng.choice(
        (
            f"As Table~\\ref{{tab:r}} shows, {method} reaches an accuracy of <<{number}>>\\% on {data}.",
            f"In Table~\\ref{{tab:r}}, the accuracy of {method} on {data} is <<{number}>>\\%.",
            f"{method} attains <<{number}>>\\% on {data} (Table~\\ref{{tab:r}}).",
        )
    )
    text = (
        "\\section{Results}\n"
        + sentence
        + "\n\n"
        + _float(_tabular(["Method", *results.sets], _plain(results, rng)), "Accuracy (\\%).")
    )
    return _mark(text, _slip(rng, number))


def linked_difference(rng: random.Random) -> Generated:
    results = _results(rng, rng.randint(3, 6), rng.randint(2, 5))
    column = rng.randrange(len(results.sets))
    first, second = rng.sample(range(len(results.methods)), 2)
    if results.values[first][column] < results.values[second][column]:
        first, second = second, first
    number = f"{results.values[first][column] - results.values[second][column]:.1f}"
    one, two, data = results.methods[first], results.methods[second], results.sets[column]
    sentence = rng.choice(
        (
            f"On {data}, {one} outperforms {two} by <<{number}>> points (Table~\\ref{{tab:r}}).",
            f"Table~\\ref{{tab:r}} shows that {one} improves over {two} by <<{number}>> percentage points on {data}.",
            f"In Table~\\ref{{tab:r}}, {one} is <<{number}>> points better than {two} on {data}.",
        )
    )
    text = (
        "\\section{Results}\n"
        + sentence
        + "\n\n"
        + _float(_tabular(["Method", *results.sets], _plain(results, rng)), "Accuracy (\\%).")
    )
    return _mark(text, _slip(rng, number, 0.25))


def _emphasis(rng: random.Random, rank: int, command: str, caption: str) -> Generated:
    results = _results(rng, rng.randint(3, 7), rng.randint(4, 6))
    body = _plain(results, rng)
    ranked = [
        sorted(range(len(results.methods)), key=lambda r, c=c: -results.values[r][c])[rank]
        for c in range(len(results.sets))
    ]  # type: ignore[misc]
    if len(set(ranked)) == 1:
        return _emphasis(rng, rank, command, caption)
    column = rng.randrange(len(results.sets))
    for other, row in enumerate(ranked):
        if other != column:
            body[row][other + 1] = f"\\{command}{{{body[row][other + 1]}}}"
    right = ranked[column]
    wrong = rng.choice([row for row in range(len(body)) if row != right])
    plain = [row[:] for row in body]
    body[right][column + 1] = f"\\{command}{{{body[right][column + 1]}}}"
    plain[wrong][column + 1] = f"\\{command}{{{plain[wrong][column + 1]}}}"
    head = ["Method", *results.sets]
    good, bad = _float(_tabular(head, body), caption), _float(_tabular(head, plain), caption)
    return Generated(good, 0, len(good), bad)


def bold_moved(rng: random.Random) -> Generated:
    return _emphasis(
        rng, 0, "textbf", rng.choice(("Accuracy (\\%) on all sets. Best in bold.", "Accuracy (\\%), higher is better."))
    )


def underline_moved(rng: random.Random) -> Generated:
    return _emphasis(rng, 1, "underline", "Accuracy (\\%); second best underlined.")


def average(rng: random.Random) -> Generated:
    results = _results(rng, rng.randint(4, 7), rng.randint(3, 5))
    body = _plain(results, rng)
    row = rng.randrange(len(body))
    for number, line in enumerate(body):
        mean = sum(results.values[number]) / len(results.sets)
        line.append(f"<<{mean:.1f}>>" if number == row else f"{mean:.1f}")
    text = _float(_tabular(["Method", *results.sets, rng.choice(("Avg.", "Average", "Mean"))], body), "Accuracy (\\%).")
    return _mark(text, _slip(rng, body[row][-1].strip("<>"), 0.25))


def total(rng: random.Random) -> Generated:
    columns = rng.randint(2, 4)
    rows = [[str(rng.randint(20, 900)) for _ in range(columns)] for _ in range(rng.randint(3, 6))]
    sums = [str(sum(int(row[c]) for row in rows)) for c in range(columns)]
    chosen = rng.randrange(columns)
    number = sums[chosen]
    sums[chosen] = f"<<{number}>>"
    body = [[name, *row] for name, row in zip(rng.sample(_SETS, len(rows)), rows, strict=True)] + [["Total", *sums]]
    return _mark(
        _float(_tabular(["Source", "Train", "Dev", "Test", "Extra"][: columns + 1], body), "Sizes."), _slip(rng, number)
    )


def difference_column(rng: random.Random) -> Generated:
    body = []
    rows = rng.randint(4, 7)
    chosen = rng.randrange(rows)
    number = ""
    for index, name in enumerate(rng.sample(_SETS, rows)):
        first = round(rng.uniform(40, 70), 1)
        second = round(first + rng.uniform(0.6, 9), 1)
        delta = f"{second - first:.1f}"
        if index == chosen:
            number = delta
            delta = f"<<{delta}>>"
        body.append([name, f"{first:.1f}", f"{second:.1f}", delta])
    head = ["Set", *rng.sample(_METHODS, 2), rng.choice(("$\\Delta$", "Gain", "Improvement"))]
    return _mark(_float(_tabular(head, body), "Accuracy (\\%)."), _slip(rng, number, 0.25))


def count_percent(rng: random.Random) -> Generated:
    n = rng.choice((120, 240, 350, 800, 1200))
    rows = rng.randint(4, 6)
    chosen = rng.randrange(rows)
    number = ""
    body = []
    for index, name in enumerate(rng.sample(_SETS, rows)):
        k = rng.randint(n // 20, n // 3)
        percent = f"{100 * k / n:.1f}"
        if index == chosen:
            number = percent
            percent = f"<<{percent}>>"
        body.append([name, f"{k} ({percent})"])
    return _mark(
        _float(_tabular(["Answer", f"Respondents ($n = {n}$)"], body), "Answers, with percentages."),
        _slip(rng, number, 0.25),
    )


def f1_column(rng: random.Random) -> Generated:
    rows = rng.randint(5, 7)
    chosen = rng.randrange(rows)
    number = ""
    body = []
    for index, name in enumerate(rng.sample(_METHODS, rows)):
        p, r = round(rng.uniform(40, 90), 1), round(rng.uniform(40, 90), 1)
        f = f"{2 * p * r / (p + r):.1f}"
        if index == chosen:
            number = f
            f = f"<<{f}>>"
        body.append([name, f"{p:.1f}", f"{r:.1f}", f])
    return _mark(_float(_tabular(["Method", "Precision", "Recall", "F1"], body), "Results."), _slip(rng, number, 0.25))


def copied_row(rng: random.Random) -> Generated:
    results = _results(rng, rng.randint(3, 5), rng.randint(4, 6))
    body = _plain(results, rng)
    row = rng.randrange(len(body))
    column = rng.randrange(len(results.sets))
    number = body[row][column + 1]
    head = ["Method", *results.sets]
    first = _float(_tabular(head, [line[:] for line in body]), "Main results.", "tab:a")
    copy = body[row][:]
    copy[column + 1] = f"<<{number}>>"
    ablation = [["w/o cache", *(f"{value - 1.3:.1f}" for value in results.values[row])], copy]
    return _mark(first + _float(_tabular(head, ablation), "Ablation.", "tab:b"), _slip(rng, number))


def unit(rng: random.Random) -> Generated:
    methods = rng.sample(_METHODS, 4)
    times = [f"{rng.uniform(5, 90):.1f}" for _ in methods]
    row = rng.randrange(4)
    body = [[m, f"{rng.uniform(50, 90):.1f}", t] for m, t in zip(methods, times, strict=True)]
    table = _float(_tabular(["Method", "Accuracy (\\%)", "Latency (ms)"], body), "Results.")
    sentence = rng.choice(
        (
            f"In Table~\\ref{{tab:r}}, the latency of {methods[row]} is {times[row]}~<<ms>>.",
            f"Table~\\ref{{tab:r}} shows a latency of {times[row]} <<ms>> for {methods[row]}.",
        )
    )
    item = _mark(f"\\section{{Results}}\n{sentence}\n\n{table}", "s")
    return Generated(item.text, item.start, item.end, item.changed, (item.start - 3,))


def from_to(rng: random.Random) -> Generated:
    first = round(rng.uniform(30, 60), 1)
    second = round(first + rng.uniform(3, 20), 1)
    relative = f"{100 * (second / first - 1):.1f}"
    points = f"{second - first:.1f}"
    sentence, number = rng.choice(
        (
            (f"Accuracy rises from {first} to {second}, a relative improvement of <<{relative}>>\\%.", relative),
            (f"The score increases from {first}\\% to {second}\\%, a gain of <<{points}>> percentage points.", points),
            (f"F1 improves from {first} to {second} (+<<{points}>> points).", points),
        )
    )
    return _mark("\\section{Results}\n" + sentence, _slip(rng, number, 0.35))


def sum_of_parts(rng: random.Random) -> Generated:
    parts = [rng.randint(12, 900) for _ in range(rng.randint(3, 4))]
    whole = str(sum(parts))
    names = rng.sample(("ACL", "NeurIPS", "ICML", "CVPR", "KDD", "CHI"), len(parts))
    listed = (
        ", ".join(f"{p} from {n}" for p, n in zip(parts[:-1], names[:-1], strict=True))
        + f" and {parts[-1]} from {names[-1]}"
    )
    three = [rng.randint(100, 4000), rng.randint(50, 400), rng.randint(50, 400)]
    sentence, number = rng.choice(
        (
            (f"We collected <<{whole}>> papers: {listed}.", whole),
            (
                f"The corpus has <<{sum(three)}>> questions, split into {three[0]} training, {three[1]} validation and {three[2]} test questions.",
                str(sum(three)),
            ),
            (f"The set holds <<{whole}>> abstracts: {listed}.", whole),
        )
    )
    return _mark("\\section{Data}\n" + sentence, _slip(rng, number))


def partition_percent(rng: random.Random) -> Generated:
    """Without a word such as "remaining", shares below 100 % may leave something out; then the change goes above."""
    first, second = rng.randint(20, 45), rng.randint(15, 35)
    third = str(100 - first - second)
    n = rng.randint(60, 400)
    listed = f"{first}\\% are broken wires, {second}\\% are loose screws and <<{third}>>\\% are worn seals"
    if rng.random() < 0.5:
        changed = str(int(third) + rng.choice((3, 5, 6, 9, 10, 20)))
        return _mark(f"\\section{{Errors}}\nOf the {n} errors that we inspected, {listed}.", changed)
    sentence = f"Among the {n} questions, {first}\\% are easy, {second}\\% are medium and the remaining <<{third}>>\\% are hard."
    return _mark("\\section{Errors}\n" + sentence, _slip(rng, third, 2))


def fraction_percent(rng: random.Random) -> Generated:
    n = rng.randint(20, 300)
    k = rng.randint(5, n - 3)
    percent = f"{100 * k / n:.1f}"
    sentence = rng.choice(
        (
            f"The label was right in {k} of {n} cases (<<{percent}>>\\%).",
            f"In total, {k}/{n} (<<{percent}>>\\%) participants agreed.",
            f"We found that {k} out of {n} (<<{percent}>>\\%) runs converged.",
        )
    )
    return _mark("\\section{Results}\n" + sentence, _slip(rng, percent, 0.35))


def superlative(rng: random.Random) -> Generated:
    results = _results(rng, rng.randint(3, 5), rng.randint(2, 5))
    own = rng.randrange(len(results.methods))
    for column in range(len(results.sets)):
        results.values[own][column] = round(max(row[column] for row in results.values) + rng.randint(1, 20) / 10, 1)
    column = rng.randrange(len(results.sets))
    rival = rng.choice([row for row in range(len(results.methods)) if row != own])
    body = _plain(results, rng)
    old = body[rival][column + 1]
    body[rival][column + 1] = f"<<{old}>>"
    words = "zero one two three four five six".split()[len(results.sets)]
    sentence = rng.choice(
        (
            f"Table~\\ref{{tab:r}} shows that {results.methods[own]} has the best accuracy on all {words} datasets.",
            f"As Table~\\ref{{tab:r}} shows, {results.methods[own]} outperforms all other methods on all {words} datasets.",
            f"In Table~\\ref{{tab:r}}, {results.methods[own]} obtains the highest accuracy across all {words} datasets.",
        )
    )
    return _mark(
        f"\\section{{Results}}\n{sentence}\n\n"
        + _float(_tabular(["Method", *results.sets], body), "Accuracy (\\%), higher is better."),
        f"{results.values[own][column] + 0.7:.1f}",
    )


def comparative(rng: random.Random) -> Generated:
    methods = rng.sample(_METHODS, 4)
    times = rng.sample(range(50, 900), 4)
    first, second = rng.sample(range(4), 2)
    if times[first] > times[second]:
        first, second = second, first
    body = [[m, f"{rng.uniform(50, 90):.1f}", f"{t / 10:.1f}"] for m, t in zip(methods, times, strict=True)]
    table = _float(_tabular(["Method", "Accuracy (\\%)", "Latency (ms)"], body), "Results.")
    word, other, sentence = rng.choice(
        (
            (
                "lower",
                "higher",
                f"In Table~\\ref{{tab:r}}, the latency of {methods[first]} is <<lower>> than that of {methods[second]}.",
            ),
            (
                "smaller",
                "larger",
                f"Table~\\ref{{tab:r}} shows that {methods[first]} has a <<smaller>> latency than {methods[second]}.",
            ),
        )
    )
    del word
    return _mark(f"\\section{{Results}}\n{sentence}\n\n{table}", other)


def p_value(rng: random.Random) -> Generated:
    z = rng.uniform(0.8, 3.2)
    p = math.erfc(z / math.sqrt(2))
    text = f"{p:.3f}".lstrip("0")
    shown = f"{round(z, 3):.3f}"
    sentence = rng.choice(
        (
            f"The effect differed between groups, $z={shown}$, $p=<<{text}>>$.",
            f"We found a difference ($z = {shown}$, $p = <<{text}>>$).",
        )
    )
    return _mark("\\section{Results}\n" + sentence, _slip(rng, text, 0.004))


def promised_list(rng: random.Random) -> Generated:
    words = "zero one two three four five six".split()
    count = rng.randint(2, 5)
    items = [f"  \\item We study the {name} river." for name in rng.sample(_SETS, count)]
    intro = rng.choice(
        (
            f"We make the following {words[count]} contributions:",
            f"This paper makes {words[count]} contributions:",
            f"Our work has {words[count]} main contributions:",
        )
    )
    at = rng.randrange(count + 1)
    before = f"\\section{{Introduction}}\n{intro}\n\\begin{{itemize}}\n" + "".join(line + "\n" for line in items[:at])
    after = "".join(line + "\n" for line in items[at:]) + "\\end{itemize}\n"
    return Generated(
        before + after, len(before), len(before), "  \\item We release the code.\n", (before.index(words[count]),)
    )


def enumeration(rng: random.Random) -> Generated:
    words = "zero one two three four five six seven".split()
    count = rng.randint(3, 5)
    names = rng.sample(_SETS, count)
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    sentence = rng.choice(
        (f"We evaluate on <<{words[count]}>> datasets: {listed}.", f"We use <<{words[count]}>> rivers: {listed}.")
    )
    return _mark("\\section{Data}\n" + sentence, words[count + rng.choice((-1, 1))])


def negation(rng: random.Random) -> Generated:
    verb, noun = rng.choice(
        (
            ("fine-tune", "fine-tuning"),
            ("retrain", "retraining"),
            ("normalise", "normalisation"),
            ("augment", "augmentation"),
        )
    )
    thing = rng.choice(("routing experts", "calibration layers", "retrieval encoders", "cascade thresholds"))
    filler = "\n\n".join(f"The {name} river was measured at noon on a clear day." for name in rng.sample(_SETS, 5))
    first = f"The method needs <<the>> {noun} of the {thing}."
    last = f"Before testing, we {verb} the {thing} on every basin."
    return _mark(f"\\section{{Introduction}}\n{first}\n\n{filler}\n\n\\section{{Method}}\n{last}\n", "no")


GENERATED: dict[str, Callable[[random.Random], Generated]] = {
    "abstract digit": abstract_digit,
    "linked number": linked_number,
    "linked difference": linked_difference,
    "bold moved": bold_moved,
    "underline moved": underline_moved,
    "average column": average,
    "total": total,
    "difference column": difference_column,
    "count and percent": count_percent,
    "F1 column": f1_column,
    "copied table row": copied_row,
    "unit": unit,
    "from-to arithmetic": from_to,
    "sum of parts": sum_of_parts,
    "partition percent": partition_percent,
    "fraction and percent": fraction_percent,
    "superlative": superlative,
    "comparative": comparative,
    "p value": p_value,
    "promised list": promised_list,
    "enumeration": enumeration,
    "negation (candidate)": negation,
}
