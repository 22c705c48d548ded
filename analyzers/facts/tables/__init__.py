"""Tables: LaTeX tabular environments as header-aware grids."""
