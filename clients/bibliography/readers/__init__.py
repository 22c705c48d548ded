"""Readers: published bibliographies of several formats as streams of records."""

from clients.bibliography.readers.reading import Reading, UnreadableSourceError, open_reading

__all__ = ["Reading", "UnreadableSourceError", "open_reading"]
