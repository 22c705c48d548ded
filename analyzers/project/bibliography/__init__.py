"""Bibliography files: entries with exact places, values after `@string` expansion, inheritance, and `.bbl` keys."""

from analyzers.project.bibliography.bbl import TypesetItem, typeset_items
from analyzers.project.bibliography.compose import compose_bibliography, compose_entry
from analyzers.project.bibliography.entries import BibEntry, BibField, Bibliography, EntryBody, MacroUse, SyntaxProblem
from analyzers.project.bibliography.splitter import joined, read_bibliography, update
from analyzers.project.bibliography.values import resolved_fields, unresolved_parents

__all__ = [
    "BibEntry",
    "BibField",
    "Bibliography",
    "EntryBody",
    "MacroUse",
    "SyntaxProblem",
    "TypesetItem",
    "compose_bibliography",
    "compose_entry",
    "joined",
    "read_bibliography",
    "resolved_fields",
    "typeset_items",
    "unresolved_parents",
    "update",
]
