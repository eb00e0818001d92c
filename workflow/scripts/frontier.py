from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.frontier import frontier

run_script(frontier, snakemake)
