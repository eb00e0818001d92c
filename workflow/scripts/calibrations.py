from radmm.jobs.steps.calibrate import gather
from radmm.jobs.steps.step_runner import run_script

run_script(gather, snakemake)
