"""Reviews: the manuscript as a model reads it, reviewers, contradiction pairs, anchors and the to-do list."""
