"""Foundations that every other package uses: arrays, errors, input validation, seeds, files, and component registries.

Nothing here knows of optimisation, privacy or data: a module belongs here only if each of the other packages could use
it. It imports none of them.
"""
