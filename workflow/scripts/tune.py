from radmm.jobs.steps.step_runner import run_script
from radmm.jobs.steps.tune import tune

run_script(tune, snakemake)
