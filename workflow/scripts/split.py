from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.split import split

run_script(split, snakemake)
