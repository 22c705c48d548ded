"""Evaluation: benchmark builders, judges and metrics, without input or output of their own."""
