from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.network import network

run_script(network, snakemake)
