from radmm.jobs.steps.settings import list_settings
from radmm.jobs.steps.step_runner import run_script

run_script(list_settings, snakemake)
