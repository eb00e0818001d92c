from radmm.jobs.steps.figure import figure
from radmm.jobs.steps.step_runner import run_script

run_script(figure, snakemake)
