from radmm.jobs.steps.batch import run_batch
from radmm.jobs.steps.step_runner import run_script

run_script(run_batch, snakemake)
