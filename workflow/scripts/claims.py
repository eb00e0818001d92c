from radmm.jobs.steps.claims import claims
from radmm.jobs.steps.command import run_script

run_script(claims, snakemake)
