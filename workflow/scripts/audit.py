from radmm.jobs.steps.audit import audit
from radmm.jobs.steps.step_runner import run_script

run_script(audit, snakemake)
