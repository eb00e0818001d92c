from radmm.jobs.steps.audit import audit
from radmm.jobs.steps.command import run_script

run_script(audit, snakemake)
