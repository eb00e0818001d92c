"""Benchmarks of the solver, as ratios to what one would otherwise write; `python -m benchmarks` runs all of them."""
