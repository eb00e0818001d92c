from radmm.jobs.steps.partition import partition
from radmm.jobs.steps.step_runner import run_script

run_script(partition, snakemake)
