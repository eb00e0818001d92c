from radmm.jobs.steps.replication import replication
from radmm.jobs.steps.step_runner import run_script

run_script(replication, snakemake)
