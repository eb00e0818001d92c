from radmm.jobs.steps.split import split
from radmm.jobs.steps.step_runner import run_script

run_script(split, snakemake)
