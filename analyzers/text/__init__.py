"""Text engine: spans, line index, blocks, prose with its map back to the source, sentences."""
