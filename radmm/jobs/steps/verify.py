"""Check all results against their records, sources and code, and compute a random sample of them again."""

import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from radmm.base.store import set_aside
from radmm.jobs.steps.step_runner import say
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
from radmm.study.entries import Entry


def tell(text: str) -> None:
    """Print a line both to the log and to the terminal."""
    say(text)
    print(text, flush=True)


def verify(
    experiments: Mapping[str, Sequence[Entry]],
    data_sets: Sequence[Any],
    results: str,
    data: str,
    networks: str,
    sample: int = 3,
    seed: int | None = None,
) -> None:
    """Verify all results, and fail with a sentence for each error; damaged files are set aside.

    Args:
        experiments: Entries of each experiment.
        data_sets: Each data set's section of the config.
        data: Folder of prepared data, with `raw` below.
        networks: Folder of the networks.
        sample: Number of settings to solve again.
        seed: Seed of the sample; a random one if not given.
    """
    folders = Folders(Path(results), Path(data), Path(networks))
    seed = secrets.randbelow(2**32) if seed is None else seed
    elsewhere = [] if Path(networks).is_relative_to(results) else [Path(networks)]  # those of a study with a name
    files = made_files(folders.results, folders.data, *elsewhere)
    damaged = damages(files)
    complaints = [*damaged.values(), *raw_faults(data_sets, folders.data / "raw")]
    for path in damaged:
        set_aside(path)
    sound = [path for path in files if path not in damaged]
    tell(f"{len(sound)} of {len(files)} files are as they were written")
    complaints += broken_chains(sound)
    settings = folders.settings(experiments)
    complaints += strange_traces(folders, settings)
    tell(f"{len(settings)} traces compared with their settings, data and code")
    chosen = sample_of(settings, sample, seed)
    with TemporaryDirectory() as scratch:
        for setting in chosen:
            complaints += differences(folders, setting, Path(scratch))
    if complaints:
        wrong = "\n".join(f"error: {complaint}" for complaint in dict.fromkeys(complaints))
        print(wrong, flush=True)
        sys.exit(wrong)
    again = ", ".join(setting.id for setting in chosen) or "nothing"
    tell(f"made again with the same bytes: {again} (--sample {sample} --seed {seed})")
