"""Reports: what a check of one root found, as text, JSON, SARIF or annotations.  They format and decide nothing."""
