"""Print the progress of a run's jobs and what failed, from the logs of batches."""

from pathlib import Path

from radmm.jobs.progress import all_progress
from radmm.jobs.steps.step_runner import run


def watch(logs: Path) -> None:
    """Print a line for searches and one for settings, and one more for each that failed.

    Args:
        logs: Folder of all logs.
    """
    print(all_progress(logs))


if __name__ == "__main__":
    run(watch, __doc__, logs=Path)
