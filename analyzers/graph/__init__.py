"""The claim/evidence graph: what the manuscript claims, what stands behind it, and how far everything is from the main claims."""
