from radmm.jobs.steps.calibrate import run_searches
from radmm.jobs.steps.step_runner import run_script

run_script(run_searches, snakemake)
