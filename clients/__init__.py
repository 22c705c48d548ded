"""Everything on the other side of a wire: models, bibliographic sources, editors."""
