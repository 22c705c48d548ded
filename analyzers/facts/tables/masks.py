"""Hide what TeX does not read as table text, without moving anything: comments, `\\iffalse`, `\\verb`."""

import re

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_HIDDEN = re.compile(r"\\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])|\\begin\{comment\}.*?\\end\{comment\}", re.DOTALL)
_VERB = re.compile(
    r"\\(?:verb\*?|lstinline(?:\[[^\]\n]*\])?|mintinline(?:\[[^\]\n]*\])?\{[^}\n]*\}|Verb\*?)([^A-Za-z\s*{\[])([^\n]*?)\1"
)
_SPECIAL = str.maketrans(dict.fromkeys("&\\{}$%~^_#", "\ue002"))


def masked(source: str) -> str:
    """The source with comments and disabled text blanked and the special characters of `\\verb` taken away.

    The result has the same length, so offsets stay valid.
    """
    if "\\verb" in source or "inline" in source or "\\Verb" in source:
        source = _VERB.sub(lambda match: _verb(match[0], match.start(2) - match.start(), match[2]), source)
    if "%" in source:
        source = _COMMENT.sub(lambda match: match[1] + " " * (match.end() - match.end(1)), source)
    if "\\iffalse" in source or "{comment}" in source:
        source = _HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    return source


def _verb(whole: str, offset: int, content: str) -> str:
    shown = content.translate(_SPECIAL)
    return " " * (offset - 1) + " " + shown + " " * (len(whole) - offset - len(content))


_GROUP_SIGN = re.compile(r"\\.|[{}]", re.DOTALL)


def group_end(text: str, position: int, limit: int, longest: int = 20_000) -> int | None:
    """Where the brace group that opens at `position` ends (behind its closing brace), None when it does not."""
    depth = 0
    for match in _GROUP_SIGN.finditer(text, position, min(limit, position + longest)):
        sign = match[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth <= 0:
                return match.end() if depth == 0 else None
    return None


def bracket_end(text: str, position: int, limit: int) -> int | None:
    """Where the optional argument that opens at `position` ends, braces inside it respected."""
    depth = 0
    for at in range(position + 1, min(limit, position + 400)):
        sign = text[at]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth < 0:
                return None
        elif sign == "]" and depth == 0:
            return at + 1
    return None


def skip_blanks(text: str, position: int, limit: int) -> int:
    """The next position that holds no blank."""
    while position < limit and text[position].isspace():
        position += 1
    return position
