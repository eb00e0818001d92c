"""What the long forms of tests found when they were last run by `make fuzz`, for docs/reliability.md."""

import json
from pathlib import Path

STORED = Path(__file__).with_suffix(".json")


def keep(name: str, **figures: int) -> None:
    """Store what one of them found.

    Args:
        name: Of the test.
        figures: Whatever it counted.
    """
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    STORED.write_text(json.dumps({**stored, name: figures}, indent=1, sort_keys=True) + "\n")


def sentence() -> str:
    """Return what the long forms found, as docs/reliability.md has it."""
    stored = json.loads(STORED.read_text())
    mutants, kills = stored["mutants"], stored["kills"]
    return (
        f"When `make fuzz` was last run, {mutants['refused']:,} of {mutants['tried']:,} mutants were refused in "
        f"sentences and all others\nresolved; of {kills['tried']:,} kills, {kills['amid work']:,} came in the midst of "
        "work, and the results were the bytes of an undisturbed\nrun.\n"
    )
