from radmm.jobs.steps.claims import claims
from radmm.jobs.steps.step_runner import run_script

run_script(claims, snakemake)
