from radmm.jobs.steps.step_runner import run_script
from radmm.jobs.steps.table import table

run_script(table, snakemake)
