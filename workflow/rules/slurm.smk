# A mend for Snakemake's plugin for Slurm: if a query fails, because the controller restarts, say, it forgets all jobs
# that it asked about, and Snakemake waits for them for ever.

from shutil import which
from subprocess import run


def keep_jobs_while_silent():
    """Let the plugin ask only while the controller answers."""
    from snakemake_executor_plugin_slurm import Executor

    ask = Executor.check_active_jobs

    async def check_active_jobs(self, active_jobs):
        if run(["scontrol", "ping"], capture_output=True, check=False).returncode:
            for job in active_jobs:
                yield job
        else:
            async for job in ask(self, active_jobs):
                yield job

    Executor.check_active_jobs = check_active_jobs


if workflow.is_main_process and which("scontrol"):
    keep_jobs_while_silent()
