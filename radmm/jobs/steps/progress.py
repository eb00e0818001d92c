"""Print the progress of a run's jobs and the settings that failed, from the logs of batches."""

from pathlib import Path

from radmm.jobs.progress import progress
from radmm.jobs.steps.step_runner import run


def watch(logs: Path) -> None:
    """Print one line of progress, and one more for each setting that failed.

    Args:
        logs: Folder of the batches' logs.
    """
    found = progress(logs)
    print(found)
    if found.failed:
        print(found.failures())


if __name__ == "__main__":
    run(watch, __doc__, logs=Path)
