"""Edits of bibliography files that a reader is offered: pure functions from entries and records to fixes.

Every fix touches the fields it names and nothing else; line ends, byte order mark, tabs and the order of fields stay.
"""
