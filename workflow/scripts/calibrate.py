from radmm.jobs.steps.calibrate import calibrate_noise
from radmm.jobs.steps.command import run_script

run_script(calibrate_noise, snakemake)
