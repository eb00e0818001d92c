"""Tuned studies: what each method is chosen to be, how that is judged, and the page that tells which to use.

Nothing here runs a solver: what was run, and what it spends, comes in.
"""
