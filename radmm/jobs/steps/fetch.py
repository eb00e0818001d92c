"""Fetch a table from the web, and refuse it unless it has the expected hash."""

from pathlib import Path

from radmm.data.download import Address, get_files
from radmm.jobs.steps.step_runner import run, say


def fetch(address: str, sha256: str, table: Path) -> None:
    """Write a table from the web whose hash is known.

    Args:
        table: Output: the table.
    """
    get_files({table.name: sha256}, [Address(address)], table.parent, say)
    say(f"{table.name} came from {address}; SHA-256 as expected")


if __name__ == "__main__":
    run(fetch, __doc__, address=str, sha256=str, table=Path)
