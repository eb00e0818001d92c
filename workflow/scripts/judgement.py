from radmm.jobs.steps.judgement import judgement
from radmm.jobs.steps.step_runner import run_script

run_script(judgement, snakemake)
