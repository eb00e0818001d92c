from radmm.jobs.steps.report import report
from radmm.jobs.steps.step_runner import run_script

run_script(report, snakemake)
