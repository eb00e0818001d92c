"""Figures: one module for each kind, which states what it needs and draws it; `figure` is the interface.

`setting_parameters` interprets parameters, `curves` tables; `curve_styles` and `style` set the appearance. `audit`
draws the audit's table and is no kind that an experiment could have. Nothing here runs a setting or reads meaning from
a label.
"""
