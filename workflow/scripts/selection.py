from radmm.jobs.steps.selection import selection
from radmm.jobs.steps.step_runner import run_script

run_script(selection, snakemake)
