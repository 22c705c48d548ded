"""About how many tokens a request has at most, without asking anyone.  A bound by experience, not by proof."""

import json

from analyzers.review.planning import image_tokens
from analyzers.review.port import ModelRequest, Segment

# Tokenizers of current models take three or more ASCII characters into a token in prose and LaTeX taken together, but
# may cut numbers into digits, and need at most two tokens for any other character.  Each turn has a frame of a few
# tokens.
_CHARACTERS_PER_TOKEN = 3
_TOKENS_PER_OTHER = 2
_FRAME = 24
# The instructions that a provider adds for its own search tool; the results come on top and are bounded by a search.
_SEARCH_TOOL = 3_000


def upper_bound(request: ModelRequest) -> int:
    """An upper bound of the input tokens of a request."""
    total = _FRAME + sum(_tokens(segment) for segment in request.system)
    for turn in request.turns:
        total += _FRAME + sum(_tokens(segment) for segment in turn.segments)
    if request.schema is not None:
        # Structured output puts the schema and instructions about it into the prompt.
        total += 2 * tokens_of(json.dumps(dict(request.schema), default=str)) + 300
    return total + (_SEARCH_TOOL if request.web_searches else 0)


def tokens_of(text: str) -> int:
    """An upper bound of the tokens of a text."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    digits = plain - len(text.encode("ascii", "ignore").translate(None, b"0123456789"))
    return -(-(plain - digits) // _CHARACTERS_PER_TOKEN) + digits + _TOKENS_PER_OTHER * (len(text) - plain)


def _tokens(segment: Segment) -> int:
    return tokens_of(segment.text) + (0 if segment.image is None else image_tokens(segment.image))
