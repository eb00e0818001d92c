from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.report import report

run_script(report, snakemake)
