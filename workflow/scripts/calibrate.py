from radmm.jobs.steps.calibrate import calibrate_noise
from radmm.jobs.steps.step_runner import run_script

run_script(calibrate_noise, snakemake)
