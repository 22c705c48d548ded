"""How large a request is, estimated without asking anyone: for plans and limits, where adapters count exactly."""

import json

from analyzers.review.port import ModelRequest
from analyzers.review.script import tokens_in

_FRAME = 30


def input_tokens(request: ModelRequest) -> int:
    """About how many tokens the prompts and the schema of a request have."""
    texts = [segment.text for segment in request.system]
    texts += [segment.text for turn in request.turns for segment in turn.segments]
    schema = len(json.dumps(dict(request.schema))) // 4 if request.schema is not None else 0
    return sum(tokens_in(text) for text in texts) + schema + _FRAME
