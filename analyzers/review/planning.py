"""How large a request is, estimated without asking anyone: for plans and limits, where adapters count exactly."""

import json

from analyzers.review.port import Image, ModelRequest
from analyzers.review.script import tokens_in

_FRAME = 30


def input_tokens(request: ModelRequest) -> int:
    """About how many tokens the prompts and the schema of a request have."""
    texts = [segment.text for segment in request.system]
    texts += [segment.text for turn in request.turns for segment in turn.segments]
    images = sum(
        image_tokens(segment.image) for turn in request.turns for segment in turn.segments if segment.image is not None
    )
    schema = len(json.dumps(dict(request.schema))) // 4 if request.schema is not None else 0
    return sum(tokens_in(text) for text in texts) + images + schema + _FRAME


def image_tokens(image: Image) -> int:
    """Tokens of an image: its pixels by 750, as the documentation of the Messages API says.

    Large images are made smaller there first, so that this is an upper bound.
    """
    return -(-image.width * image.height // 750)
