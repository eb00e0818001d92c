from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.ladder import write_ladder

run_script(write_ladder, snakemake)
