from radmm.jobs.steps.network import network
from radmm.jobs.steps.step_runner import run_script

run_script(network, snakemake)
