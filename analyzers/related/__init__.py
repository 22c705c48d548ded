"""Related passages and candidates: which sentences, cells and captions speak of the same thing, without a model."""
