from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.replication import replication

run_script(replication, snakemake)
