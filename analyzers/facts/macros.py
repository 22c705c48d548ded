"""Macros the manuscript defines, and what they stand for: text, numbers, or wrappers around citing, referencing and labelling."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from analyzers.text.commands import DEFINE, INCLUDE_ARGUMENTS, REF_ARGUMENTS
from analyzers.text.document import Block
from analyzers.text.lex import is_citing, read_group
from analyzers.text.prose import MacroView
from analyzers.text.symbols import DROPPED

_NEW = re.compile(r"\s*\*?\s*\{?\s*\\([A-Za-z@]+|[^A-Za-z@\s])\s*\}?")
_ARITY = re.compile(r"\s*\[(\d)\]")
_DEF_PARAMETERS = re.compile(r"((?:\s*#\d)*)[^{#]*")
_CALL = re.compile(r"\\([A-Za-z@]+)\*?\s*(?:\[[^\[\]]*\]\s*)*(?:\{([^{}]*)\})?")
_BEGIN_END = re.compile(r"\\(begin|end)\s*\{([^{}#]*)\}")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_LABEL = re.compile(r"\\(?:label|newlabel|newlabelx)\s*\{([^{}]*#\d[^{}]*)\}")
_MAX_BODY = 100_000


@dataclass(frozen=True, slots=True)
class Macro:
    """One definition.  Offsets are relative to the block that holds it; `body_start` and `body_end` exclude the braces."""

    name: str
    arity: int
    default: str | None
    body: str
    start: int
    end: int
    body_start: int
    body_end: int

    @property
    def value(self) -> Decimal | None:
        """The number that the macro stands for, when its body is nothing but a number."""
        text = self.body.strip().replace("{,}", "").replace("$", "").removesuffix(r"\xspace").strip()
        if self.arity or not _NUMBER.fullmatch(text):
            return None
        try:
            return Decimal(text)
        except InvalidOperation:
            return None


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A macro that hands its argument number `argument` (from 1) to a citing, referencing, labelling or including command."""

    argument: int
    prefix: str = ""
    suffix: str = ""
    command: str = ""


def macros_of(block: Block) -> tuple[Macro, ...]:
    """The macro definitions of one block."""
    return block.remember("macros", _read_macros)


def _read_macros(block: Block) -> tuple[Macro, ...]:
    text = block.text
    found = []
    for command in block.lexed.commands:
        if (
            command.name not in DEFINE
            or command.name == "let"
            or "environment" in command.name.lower()
            or "theorem" in command.name
        ):
            continue
        macro = _read_definition(text, command.name, command.start + 1 + len(command.name), command.end)
        if macro is not None:
            found.append(macro)
    return tuple(found)


def _read_definition(text: str, how: str, position: int, end: int) -> Macro | None:
    match = _NEW.match(text, position, end)
    if match is None:
        return None
    name, position = match[1], match.end()
    arity, default = 0, None
    if how.endswith("def"):
        parameters = _DEF_PARAMETERS.match(text, position, end)
        if parameters is not None:
            arity, position = parameters[1].count("#"), parameters.end()
    elif "Document" in how:
        spec = read_group(text, position)
        if spec is None:
            return None
        arity = sum(letter in "mOoRrDdtsb" for letter in re.sub(r"\{[^{}]*\}", "", text[spec.start : spec.end]))
        position = spec.end + 1
    elif "command" in how.lower() or how.startswith("DeclareRobust"):
        count = _ARITY.match(text, position, end)
        if count is not None:
            arity, position = int(count[1]), count.end()
            optional = read_group(text, position, "[")
            if optional is not None and optional.end < end:
                default, position = text[optional.start : optional.end], optional.end + 1
    body = read_group(text, position)
    if body is None or body.end > end or body.end - body.start > _MAX_BODY:
        return None
    start = text.rfind("\\" + how.rstrip("*"), 0, position)
    return Macro(name, arity, default, text[body.start : body.end], max(start, 0), body.end + 1, body.start, body.end)


class Expansions:
    """What macros without arguments stand for; holds the definitions only, so that who keeps it keeps no `Macros`."""

    __slots__ = ("_known", "_table")

    def __init__(self, table: Mapping[str, Macro]) -> None:
        self._table = table
        self._known: dict[str, str | None] = {}

    def __call__(self, name: str) -> str | None:
        """The source text of a macro without arguments, with nested such macros replaced; None for any other macro."""
        if name not in self._known:
            self._known[name] = self._expand(name, 0)
        return self._known[name]

    def _expand(self, name: str, depth: int) -> str | None:
        macro = self._table.get(name)
        if macro is None or macro.arity or len(macro.body) > 300 or depth > 8:
            return None

        def inner(match: re.Match[str]) -> str:
            nested = self._expand(match[1], depth + 1)
            return match[0] if nested is None else "{" + nested + "}"

        return re.sub(r"\\([A-Za-z@]+)(?![A-Za-z@])", inner, macro.body)[:2000]


class Macros:
    """All definitions of a project, by name; the last definition of a name counts.

    Two tables with the same definitions are equal, so that what was computed with one stays valid with the other.
    """

    __slots__ = (
        "_signatures",
        "citing",
        "delimiters",
        "expansion",
        "including",
        "labelling",
        "referencing",
        "silent",
        "table",
        "view",
    )

    def __init__(self, macros: Iterable[Macro] = ()) -> None:
        self.table: Mapping[str, Macro] = {macro.name: macro for macro in macros}
        self.citing: dict[str, Wrapper] = {}
        self.referencing: dict[str, Wrapper] = {}
        self.labelling: dict[str, Wrapper] = {}
        self.including: dict[str, Wrapper] = {}
        self.delimiters: dict[str, tuple[bool, str]] = {}
        self.expansion = Expansions(self.table)
        self._signatures: dict[str, tuple[int, str]] = {}
        self.view: MacroView | None = None  # filled in by `facts.view`
        # A wrapper may wrap another one, so two rounds are needed at most times; more nesting is not worth the time.
        for _ in range(2):
            for macro in self.table.values():
                self._classify(macro)
        self.silent = frozenset(
            macro.name for macro in self.table.values() if macro.arity and _prints_nothing(macro.body)
        )

    def signature(self, name: str) -> tuple[int, str]:
        """Arity and body of a macro with every macro that its body uses: what the reading of a use depends on."""
        if name not in self._signatures:
            self._signatures[name] = (self.table[name].arity, self._closure(name))
        return self._signatures[name]

    def _closure(self, name: str) -> str:
        seen: list[str] = []
        waiting = [name]
        while waiting and len(seen) < 50:
            current = waiting.pop()
            macro = self.table.get(current)
            if macro is None or current in seen:
                continue
            seen.append(current)
            waiting += _USED.findall(macro.body[:2000])
        return "\x00".join(f"{n}\x01{self.table[n].arity}\x01{self.table[n].body}" for n in seen)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Macros) and {k: (m.arity, m.body) for k, m in self.table.items()} == {
            k: (m.arity, m.body) for k, m in other.table.items()
        }

    __hash__ = None  # type: ignore[assignment]

    def _classify(self, macro: Macro) -> None:
        body = macro.body
        if len(body) > 2000 or "\\" not in body:
            return
        if macro.arity == 0:
            ends = _BEGIN_END.findall(body)
            if len(ends) == 1:
                self.delimiters[macro.name] = (ends[0][0] == "begin", ends[0][1].strip())
            return
        label = _LABEL.search(body)
        if label is not None:
            wrapper = _wrapper(label[1], "label")
            if wrapper:
                self.labelling[macro.name] = wrapper
        for call in _CALL.finditer(body):
            name, argument = call[1], call[2]
            if argument is None or "#" not in argument:
                continue
            wrapper = _wrapper(argument, name)
            if wrapper is None:
                continue
            if is_citing(name) or name in self.citing:
                self.citing[macro.name] = wrapper
            elif name in REF_ARGUMENTS or name in self.referencing:
                self.referencing[macro.name] = wrapper
            elif name in INCLUDE_ARGUMENTS or name in self.including:
                self.including[macro.name] = wrapper


def _prints_nothing(body: str) -> bool:
    """True when a body only makes index entries, labels and the like, so that its arguments are not text."""
    if len(body) > 500 or "#" not in body:
        return False
    rest = _DROPPED_CALL.sub("", body)
    return "#" not in rest and not re.sub(r"\\[A-Za-z@]+|[\s{}%]", "", rest)


_USED = re.compile(r"\\([A-Za-z@]+)")
_DROPPED_CALL = re.compile(
    r"\\(?:"
    + "|".join(sorted(DROPPED, key=len, reverse=True))
    + r")(?![A-Za-z@])\s*(?:\[[^\]]*\]|\{(?:[^{}]|\{[^{}]*\})*\})*"
)


def _wrapper(argument: str, command: str) -> Wrapper | None:
    match = re.fullmatch(r"([^#]*)#(\d)([^#]*)", argument)
    return Wrapper(int(match[2]), match[1], match[3], command) if match else None
