"""Contracts of components: a module for each kind, which tries a component on a small problem and says what fails.

`python -m radmm check FILE` runs the contracts of a plug-in's components; the tests run them for all that radmm ships.
Contracts look at components from outside, as a run would, and no component knows of its contract. The entry point is
`radmm.contract.verdicts`; nothing is imported here, as a replay in a fresh interpreter needs few of these modules.
"""
