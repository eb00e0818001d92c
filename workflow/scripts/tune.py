from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.tune import tune

run_script(tune, snakemake)
