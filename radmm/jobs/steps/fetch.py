"""Fetch a table from the web, and let nothing else through."""

from pathlib import Path

from radmm.data.download import Address, get_files
from radmm.jobs.steps.step_runner import run, say


def fetch(address: str, sha256: str, table: Path) -> None:
    """Write a table that has the bytes it must have.

    Args:
        address: Where it is on the web.
        sha256: Its hash.
        table: Where it goes.
    """
    get_files({table.name: sha256}, [Address(address)], table.parent, say)
    say(f"{table.name} came from {address}; SHA-256 as expected")


if __name__ == "__main__":
    run(fetch, __doc__, address=str, sha256=str, table=Path)
