"""The contradiction pass: several ways to find pairs of places that may exclude each other, and one verifier for all of them."""
