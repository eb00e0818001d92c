"""Releases that may be published: noise on an integer grid, exact accounting, and a privacy label.

`run.py` is `radmm.release`. The guarantee rests on four files: `gradient_grid.py` bounds what a row contributes,
`plan.py` fixes sensitivity and noise in whole numbers, `discrete_noise.py` draws the noise, and `zcdp.py` computes the
total.
"""
