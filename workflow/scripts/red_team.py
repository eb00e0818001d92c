from radmm.jobs.steps.red_team import red_team
from radmm.jobs.steps.step_runner import run_script

run_script(red_team, snakemake)
