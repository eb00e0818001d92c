from radmm.jobs.steps.batch import run_batch
from radmm.jobs.steps.command import run_script

run_script(run_batch, snakemake)
