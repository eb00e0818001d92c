"""Fetch a table from the web, and let nothing else through."""

from pathlib import Path

from radmm.data.download import Address, get_files
from radmm.jobs.steps.command import run, say


def fetch(address: str, sha256: str, output: Path) -> None:
    get_files({output.name: sha256}, [Address(address)], output.parent, say)
    say(f"{output.name} came from {address}; SHA-256 as expected")


if __name__ == "__main__":
    run(fetch, __doc__, address=str, sha256=str, output=Path)
