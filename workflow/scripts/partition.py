from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.partition import partition

run_script(partition, snakemake)
