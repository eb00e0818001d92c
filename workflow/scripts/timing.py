from radmm.jobs.steps.step_runner import run_script
from radmm.jobs.steps.timing import timing

run_script(timing, snakemake)
