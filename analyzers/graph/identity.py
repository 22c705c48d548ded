"""Node ids: names that follow from the content, so that edits elsewhere keep them and a graph built afresh has the same."""

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2s
from itertools import islice

_WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]+")
_WORDS = 6
_SENTENCE = "sentence"


def name_of(form: str, text: str, labels: tuple[str, ...]) -> str:
    """The name of one passage: from the label of a float or theorem, else from its first words, which an edit of a number
    or towards the end leaves alone."""
    if form != _SENTENCE and labels:
        content = "label\x00" + labels[0]
    else:
        words = [match[0].lower()[:12] for match in islice(_WORD.finditer(text), _WORDS)]
        content = f"{form}\x00" + (" ".join(words) or text)
    return "n" + blake2s(content.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def numbered(names: Iterable[str]) -> list[str]:
    """The names in order, equal ones numbered."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return found
