"""Check all that was made against its records, its origin and its code, and compute a random sample of it again."""

import secrets
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from radmm.base.store import set_aside
from radmm.jobs.steps.command import run, say
from radmm.jobs.verify import (
    Folders,
    broken_chains,
    damages,
    differences,
    made_files,
    raw_faults,
    sample_of,
    strange_traces,
)


def verify(plan: Path, results: Path, data: Path, sample: int = 3, seed: int | None = None) -> None:
    """Say what was checked; fail with a sentence for each thing that is wrong. Damaged files are set aside."""
    folders, seed = Folders(plan, results, data), secrets.randbelow(2**32) if seed is None else seed
    files = made_files(results, data)
    damaged = damages(files)
    complaints = [*damaged.values(), *raw_faults(folders)]
    for path in damaged:
        set_aside(path)
    sound = [path for path in files if path not in damaged]
    say(f"{len(sound)} of {len(files)} files are as they were written")
    complaints += broken_chains(sound)
    settings = folders.settings()
    complaints += strange_traces(folders, settings)
    say(f"{len(settings)} traces compared with their settings, data and code")
    chosen = sample_of(settings, sample, seed)
    with TemporaryDirectory() as scratch:
        for setting in chosen:
            complaints += differences(folders, setting, Path(scratch))
    if complaints:
        sys.exit("\n".join(f"error: {complaint}" for complaint in dict.fromkeys(complaints)))
    again = ", ".join(setting.id for setting in chosen) or "nothing"
    say(f"made again with the same bytes: {again} (--sample {sample} --seed {seed})")


if __name__ == "__main__":
    run(verify, __doc__, plan=Path, results=Path, data=Path, sample=int, seed=int)
