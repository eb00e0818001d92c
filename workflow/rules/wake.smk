# A mend for Snakemake's scheduler: to keep its limit on jobs per second it wakes up a second after every look at what could
# run, and every wake-up is such a look. So each job that ends starts another endless row of them, and after a hundred
# jobs it looks a hundred times a second, for which it takes a third of a core.

from threading import Timer


def wake_once():
    """Let one wake-up be waited for at a time."""
    from snakemake.scheduling.job_scheduler import JobScheduler

    waiting = set()

    def _schedule_reevalutation(self, delay):
        def wake():
            waiting.discard((self, delay))  # before the release: the look that follows may ask for the next one
            self._open_jobs.release()

        if (self, delay) not in waiting:
            waiting.add((self, delay))
            Timer(delay, wake).start()

    JobScheduler._schedule_reevalutation = _schedule_reevalutation


if workflow.is_main_process:
    wake_once()
