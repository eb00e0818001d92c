"""How fast the solver is, as ratios against what one would otherwise write. `python -m benchmarks` runs all of it."""
