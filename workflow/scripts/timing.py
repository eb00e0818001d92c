from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.timing import timing

run_script(timing, snakemake)
