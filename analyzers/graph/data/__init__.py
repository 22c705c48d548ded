"""Cue expressions of claims and evidence, one JSON file per language."""
