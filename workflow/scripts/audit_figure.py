from radmm.jobs.steps.command import run_script
from radmm.results.figures.audit import figure

run_script(figure, snakemake)
