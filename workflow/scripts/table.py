from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.table import table

run_script(table, snakemake)
