from radmm.jobs.steps.replicate import replicate
from radmm.jobs.steps.step_runner import run_script

run_script(replicate, snakemake)
