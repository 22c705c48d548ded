"""Reviewers: ways to turn a manuscript into a review."""
