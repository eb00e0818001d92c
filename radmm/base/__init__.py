"""What every other room stands on: arrays, errors, checked input, seeds, files, and the lists of components.

Nothing here knows of optimisation, privacy or data: a module belongs here only if each of the other rooms could use it.
It imports none of them.
"""
