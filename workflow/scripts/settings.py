from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.settings import list_settings

run_script(list_settings, snakemake)
