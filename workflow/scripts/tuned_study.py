from radmm.jobs.steps.frontier import frontier
from radmm.jobs.steps.replication import replication
from radmm.jobs.steps.step_runner import run_script

steps = {"frontier": frontier, "replication": replication}
run_script(steps[snakemake.params.step], snakemake)
