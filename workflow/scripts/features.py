from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.features import features

run_script(features, snakemake)
