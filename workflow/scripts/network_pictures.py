from radmm.jobs.steps.command import run_script
from radmm.jobs.steps.network_pictures import network_pictures

run_script(network_pictures, snakemake)
