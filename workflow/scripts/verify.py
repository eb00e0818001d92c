from radmm.jobs.steps.step_runner import run_script
from radmm.jobs.steps.verify import verify

run_script(verify, snakemake)
