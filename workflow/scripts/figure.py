from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.figure import figure

run_script(figure, snakemake)
