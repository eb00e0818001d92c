"""Figures: a module for each kind, which says what it needs and draws; `figure` is what a kind is.

`meaning` reads parameters, `curves` tables; `looks` and `style` are how things look. `audit` draws the audit's table
and is no kind that an experiment could have. Nothing here runs a setting or reads meaning from a label.
"""
