from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.frontier import frontier
from radmm.jobs.steps.replication import replication

steps = {"frontier": frontier, "replication": replication}
run_script(steps[snakemake.params.step], snakemake)
