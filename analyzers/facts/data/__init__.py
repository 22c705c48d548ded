"""Word lists and tables that the facts read: data, no code."""
