from radmm.jobs.steps.ladder import write_ladder
from radmm.jobs.steps.step_runner import run_script

run_script(write_ladder, snakemake)
