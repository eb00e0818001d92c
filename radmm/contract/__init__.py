"""What a component must hold to, tried out: a module for each kind, on small made data, with one sentence if it fails.

`python -m radmm check FILE` runs the contracts of a plug-in's components; the tests run them for all that radmm ships.
What lives here looks at components from outside, as a run would: no component knows of its contract. The door is
`radmm.contract.verdicts`; nothing is imported here, as a replay in a fresh interpreter needs few of these modules.
"""
