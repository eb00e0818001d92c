from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.replicate import replicate

run_script(replicate, snakemake)
