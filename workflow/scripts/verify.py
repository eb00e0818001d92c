from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.verify import verify

run_script(verify, snakemake)
