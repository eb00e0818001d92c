from radmm.jobs.steps.features import features
from radmm.jobs.steps.step_runner import run_script

run_script(features, snakemake)
