"""Tuned studies: selection of each method's settings, their judgement, and the page that says which method to use.

Nothing here runs a solver: runs and their totals are inputs.
"""
