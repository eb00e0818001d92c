from radmm.jobs.steps.step_runner import run_script
from radmm.results.figures.audit import figure

run_script(figure, snakemake)
