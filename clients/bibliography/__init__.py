"""Bibliographic sources behind wires and files: online services and the local index."""
