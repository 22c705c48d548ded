"""Cue words of checks, one JSON file per subject with one object per language."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=64)
def cues(subject: str, language: str) -> Any:
    """The cue words of a subject in a language, or None when there are none: then the check stays silent."""
    table = json.loads(files(__name__).joinpath(f"{subject}.json").read_text("utf-8"))
    return table.get(language)
