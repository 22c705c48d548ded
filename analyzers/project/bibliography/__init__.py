"""Bibliography files: entries with exact places, values after `@string` expansion, inheritance, and `.bbl` keys."""

from analyzers.project.bibliography.entries import BibEntry, BibField, Bibliography, EntryBody, MacroUse, SyntaxProblem

__all__ = ["BibEntry", "BibField", "Bibliography", "EntryBody", "MacroUse", "SyntaxProblem"]
