"""Theorem-like statements and the places that restate them."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from analyzers.project.manuscript import Entry, Manuscript
from analyzers.text.document import Block
from analyzers.text.environments import THEOREM

_NOT_STATED = frozenset({"proof", "example", "remark", "rem", "notation", "question", "problem", "restatable*"})
_LONGEST = 6_000
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_REFERENCE = r"\\(?:ref|cref|Cref|autoref|thref|Thref|vref)\*?\s*\{([^{}]*)\}"
_REFERENCE_PATTERN = re.compile(_REFERENCE)
_TITLE = re.compile(r"\s*\[((?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\]")
_NOUN = r"(?:Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Claim|Satz|Korollar|Annahme)"
_HEADED = re.compile(
    rf"(?:\\(?:textbf|textsc|textit|emph|paragraph\*?|subparagraph\*?)\s*\{{|\{{\\(?:bf|bfseries|sc|it)\s)\s*(?:Restatement of\s+|Restated\s+)?"
    rf"(?:{_NOUN}[~\s]*{_REFERENCE}|\\(?:[cC]ref|autoref)\s*\{{([^{{}}]*)\}})(?:,?\s+(?:again|once\s+more|once\s+again|restated|revisited|repeated|recalled|in\s+full))?\s*(?:\([^()]*\)|\[[^\[\]]*\])?\s*[.:]?\s*(?:\([^()]*\))?\s*\}}\s*(?:\([^()]*\))?[.:]?",
)
# "Recall Theorem 1: \\emph{Let …}"
_RECALLED = re.compile(
    rf"\b[Rr]e(?:call|stat|peat)\w*\s+(?:here\s+)?(?:{_NOUN}[~\s]*{_REFERENCE}|\\(?:[cC]ref|autoref)\s*\{{([^{{}}]*)\}})[^.:\n\\]{{0,40}}[.:]\s*(?:\\begin\{{(?:quote|quotation)\}}|\\(?:emph|textit)\{{)"
)
_AGAIN = re.compile(
    r"\b(?:restat\w*|re-stat\w*|repeat\w*|recall\w*|again|convenience|completeness|reproduc\w*|prove|proof of)\b|\\renewcommand\*?\s*\{?\\the",
    re.IGNORECASE,
)
_INTRODUCTION = 400  # code points in front of a statement that may say what it restates
_STOP_AT = re.compile(
    r"\n[ \t]*\r?\n|\\begin\{proof\}|\\(?:sub)*section|\\paragraph|\\textbf\{Proof|\\emph\{Proof|\\textit\{Proof|\\end\{|\\begin\{(?:theorem|lemma)"
)


class Statement(NamedTuple):
    """A statement: source offsets of its text in its block (or beyond, in the same file), its labels and its title."""

    entry: Entry
    environment: str
    title: str
    labels: tuple[str, ...]
    start: int
    end: int
    text: str


class Restatement(NamedTuple):
    """A passage that states again what has the label `key`."""

    statement: Statement
    key: str


class Difference(NamedTuple):
    """Words that one statement has and the other has not; `at` and `until` are offsets in the text of the restatement."""

    missing: bool  # in the restatement; else added there
    words: str
    at: int
    until: int


def declared(manuscript: Manuscript) -> frozenset[str]:
    """The names of theorem-like environments, those of the preamble included."""
    names = set(THEOREM)
    for entry in manuscript.entries:
        if "\\newtheorem" in entry.block.text or "\\declaretheorem" in entry.block.text:
            names |= entry.block.remember("new theorems", _declared)
    return frozenset(names - _NOT_STATED)


def _declared(block: Block) -> frozenset[str]:
    return frozenset(re.findall(r"\\(?:newtheorem|declaretheorem)\*?\s*(?:\[[^\]]*\]\s*)?\{([^{}]*)\}", block.text))


_TITLED = re.compile(r"\\newtheorem\*?\s*\{([^{}]*)\}\s*(?:\[[^\]]*\]\s*)?\{[^{}]*" + _REFERENCE)


def _titled(manuscript: Manuscript) -> dict[str, str]:
    """Environments made for one restatement, `\\newtheorem*{again}{Theorem~\\ref{x}}`, with the label that they name."""
    found: dict[str, str] = {}
    for entry in manuscript.entries:
        if "\\newtheorem" in entry.block.text:
            found.update(entry.block.remember("restating environments", _titled_in))
    return found


def _titled_in(block: Block) -> dict[str, str]:
    return {match[1].strip(): match[2].strip() for match in _TITLED.finditer(block.text)}


def stated(manuscript: Manuscript, names: frozenset[str]) -> Iterable[Statement]:
    """Every theorem-like environment of the body."""
    for _, entry in manuscript.body:
        for environment in entry.block.lexed.environments:
            if not environment.begins or environment.name not in names:
                continue
            document = manuscript.files[entry.path].text
            begin = entry.start + environment.end
            closing = document.find(rf"\end{{{environment.name}}}", begin, begin + _LONGEST)
            if closing < 0:
                continue
            title = _TITLE.match(document, begin, closing)
            start = title.end() if title else begin
            if environment.name.startswith("restatable"):
                groups = re.compile(r"\s*\{[^{}]*\}\s*\{[^{}]*\}").match(document, start, closing)
                start = groups.end() if groups else start
            text = document[start:closing]
            labels = tuple(match[1].strip() for match in _LABEL.finditer(document, begin, closing))
            yield Statement(
                entry,
                environment.name,
                title[1] if title else "",
                labels,
                start - entry.start,
                closing - entry.start,
                text,
            )


def restated(manuscript: Manuscript, statements: Iterable[Statement]) -> Iterable[Restatement]:
    """Passages that name a label and state it again: titled environments and paragraphs with a bold head."""
    titled = _titled(manuscript)
    for statement in statements:
        reference = _REFERENCE_PATTERN.search(statement.title)
        if reference is None and statement.environment in titled:
            yield Restatement(statement, titled[statement.environment])
        elif reference is not None:
            yield Restatement(statement, reference[1].strip())
        elif not statement.labels:
            yield from _introduced(manuscript, statement)
    for _, entry in manuscript.body:
        for key, start, end in entry.block.remember("headed statements", _headed):
            document = manuscript.files[entry.path].text
            stop = end
            yield Restatement(
                Statement(entry, "", "", (), start, stop, document[entry.start + start : entry.start + stop]), key
            )


def _introduced(manuscript: Manuscript, statement: Statement) -> Iterable[Restatement]:
    """ "We repeat Theorem~\\ref{x} for convenience" or `\\renewcommand{\\thetheorem}{\\ref{x}}` in front of a statement without a label."""
    document = manuscript.files[statement.entry.path].text
    begin = document.rfind("\\begin", 0, statement.entry.start + statement.start)
    if begin < 0:
        return
    window = document[max(0, begin - _INTRODUCTION) : begin]
    window = window[max(window.rfind("\\end{"), window.rfind("\\section"), 0) :]
    if _AGAIN.search(window) is None:
        return
    keys = [key.strip() for match in _REFERENCE_PATTERN.finditer(window) for key in match[1].split(",")]
    for key in dict.fromkeys(keys[-4:]):
        yield Restatement(statement, key)


def _headed(block: Block) -> tuple[tuple[str, int, int], ...]:
    text = block.text
    if "ref" not in text:
        return ()
    found = []
    for match in _HEADED.finditer(text):
        if block.lexed.masked(match.start()):
            continue
        before = text[: match.start()].rstrip(" \t")
        if before and not before.endswith(("\n", ".", ":", "}")) and not before.endswith("\\noindent"):
            continue
        stop = _STOP_AT.search(text, match.end())
        end = stop.start() if stop else len(text.rstrip())
        if end - match.end() > 20:
            found.append(((match[1] or match[2]).strip(), match.end(), end))
    if "\\emph" in text or "\\textit" in text or "{quot" in text:
        for match in _RECALLED.finditer(text):
            stop = _STOP_AT.search(text, match.end())
            end = stop.start() if stop else len(text.rstrip())
            if end - match.end() > 20 and not block.lexed.masked(match.start()):
                found.append(((match[1] or match[2]).strip(), match.end(), end))
    return tuple(found)


_DROPPED = re.compile(
    r"%[^\r\n]*|\\(?:label|ref|eqref|cref|Cref|autoref|cite[a-z]*|vspace|hspace|tag)\*?\s*(?:\[[^\]]*\])*\{[^{}]*\}|\\(?:begin|end)\s*\{[^{}]*\}"
    r"|\\(?:left|right|big|Big|bigg|Bigg|bigl|bigr|displaystyle|textstyle|quad|qquad|nonumber|notag|emph|textit|textbf|textrm|text|mathrm|noindent|xspace|item|it|em"
    r"|limits|smallskip|medskip|allowbreak|centering)(?![A-Za-z])|\\[,;:!> \[\]()\\]|[&~]|\(\s*\)"
)
_TOKEN = re.compile(r"\\[A-Za-z]+|[A-Za-zÀ-ÿ]+|\d+(?:\.\d+)?|[^\s\w{}$.,;:]")
_LIGHT = frozenset(
    "a an the let that then we have has holds hold is are be it there exists with and or as in of to for any all some suppose assume assuming given such if where"
    " which following true under also moreover furthermore particular i e our this these by on at one every each denote denotes".split()
)  # fmt: skip
_VARIANT = {
    "\\leq": "\\le",
    "\\geq": "\\ge",
    "\\neq": "\\ne",
    "\\lVert": "\\|",
    "\\rVert": "\\|",
    "\\coloneqq": "=",
    "\\rightarrow": "\\to",
    "\\varepsilon": "\\epsilon",
}


def _tokens(text: str) -> list[tuple[str, int, int]]:
    blanked = _DROPPED.sub(lambda match: " " * len(match[0]), text)
    return [
        (_VARIANT.get(m[0], m[0]).lower() if m[0][0] != "\\" else _VARIANT.get(m[0], m[0]), m.start(), m.end())
        for m in _TOKEN.finditer(blanked)
    ]


def difference(original: str, again: str) -> Difference | None:
    """What a restatement drops or adds, when everything else is the same; None for equal texts and for rewrites."""
    first, second = _tokens(original), _tokens(again)
    if not 6 <= len(first) <= 400 or not 6 <= len(second) <= 400:
        return None
    matcher = SequenceMatcher(None, [t[0] for t in first], [t[0] for t in second], autojunk=False)
    if matcher.quick_ratio() < 0.75 or matcher.ratio() < 0.75:
        return None
    found: list[Difference] = []
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone, new = [t[0] for t in first[i1:i2]], [t[0] for t in second[j1:j2]]
        heavy_gone, heavy_new = [t for t in gone if t not in _LIGHT], [t for t in new if t not in _LIGHT]
        if not heavy_gone and not heavy_new:
            continue
        if (heavy_gone and heavy_new) or max(len(gone), len(new)) > 20:
            return None  # other words for the same, or a longer version
        if not any(t.isalpha() or t.isdigit() or t[0] == "\\" for t in (*heavy_gone, *heavy_new)):
            continue
        if heavy_gone:
            at = second[j1 - 1][1] if j1 else 0
            until = second[j1][2] if j1 < len(second) else len(again)
            found.append(Difference(True, " ".join(original[first[i1][1] : first[i2 - 1][2]].split()), at, until))
        else:
            found.append(
                Difference(
                    False, " ".join(again[second[j1][1] : second[j2 - 1][2]].split()), second[j1][1], second[j2 - 1][2]
                )
            )
    return found[0] if 1 <= len(found) <= 2 else None
