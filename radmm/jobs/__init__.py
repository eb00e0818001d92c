"""Execution of studies: batches of settings, estimates of time and memory, digests of code, progress, Slurm, and steps.

A step is the function that a rule of the workflow calls. It reads files, calls the packages below, and writes whole
files; the computation is theirs. Snakemake is not imported, here or anywhere in the package.
"""
