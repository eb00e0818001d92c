from radmm.jobs.steps.network_pictures import network_pictures
from radmm.jobs.steps.step_runner import run_script

run_script(network_pictures, snakemake)
