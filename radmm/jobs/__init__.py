"""How a study is run: batches of settings, what they will take, digests of code, progress, Slurm, and the steps.

A step is a command that a rule of the workflow runs. It reads files, calls the rooms below, and writes files whole:
what it computes is theirs. Snakemake is not imported, here or anywhere in the package.
"""
