"""Citations: does an entry say what the world's records say?  Matching, verdicts, the port to sources."""
