"""Style and script of the page that shows a graph; they are put into the page, which needs nothing else."""
