"""Node ids: names that follow from the content, so that edits elsewhere keep them and a graph built afresh has the same."""

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2s

from analyzers.graph.drafts import Draft
from analyzers.graph.schema import Form

_WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]+")
_WORDS = 6


def ids(drafts: Iterable[Draft]) -> list[str]:
    """One id per draft, in order; equal beginnings are numbered."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for draft in drafts:
        base = _base(draft)
        seen[base] += 1
        found.append(base if seen[base] == 1 else f"{base}-{seen[base]}")
    return found


def _base(draft: Draft) -> str:
    """The label of a float or theorem, else the first words: what an edit of a number or at the end leaves alone."""
    if draft.form is not Form.SENTENCE and draft.labels:
        name = "label\x00" + draft.labels[0]
    else:
        words = [word.lower() for word in _WORD.findall(draft.text)[:_WORDS]]
        name = f"{draft.form}\x00" + " ".join(word[:12] for word in words) if words else f"{draft.form}\x00{draft.text}"
    return "n" + blake2s(name.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
