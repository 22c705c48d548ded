"""Facts: what blocks of a manuscript state, one extractor per kind of fact."""
