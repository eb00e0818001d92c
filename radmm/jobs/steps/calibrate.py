"""Work off a batch of searches for noise, and write what was found for all settings of an experiment."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from radmm.base.arrays import Integers
from radmm.base.store import link, provenance
from radmm.data.holdings import read_row_counts
from radmm.jobs.batches import SearchBatch
from radmm.jobs.calibrations import (
    read_search,
    search_digest,
    why_search_outdated,
    write_calibrations,
    write_search,
)
from radmm.jobs.steps.attempts import attempt, begin, end
from radmm.jobs.steps.step_runner import say
from radmm.study.component_json import short_hash
from radmm.study.searches import Search
from radmm.study.setting_facts import known_row_counts
from radmm.study.settings import Setting


def run_searches(batch: SearchBatch, partitions: Sequence[Path], cache: str, found: Sequence[Path]) -> None:
    """Find the noises of a batch of searches; those that were kept and are up to date are not searched again.

    Args:
        partitions: Files of partitions with the rows of each node, where these depend on the data.
        cache: Folder in which finished searches are kept for the next attempt.
        found: Output: a file for each search, in any order; its name is the search's.
    """
    kept = {name: Path(cache) / "searches" / f"{name}.json" for name in batch.searches}
    begin(batch.searches, {path.parent for path in kept.values()})
    failed = sum(_attempt(search, kept[name], partitions) for name, search in batch.searches.items())
    end(failed, len(kept), "searches")
    for path in found:
        link(kept[path.stem], path)


def _attempt(search: Search, path: Path, partitions: Sequence[Path]) -> bool:
    """Write what a search finds unless it is kept already, and return whether that failed."""
    counts = partial(row_counts_of, partitions=partitions)
    with provenance():  # it is made of the partitions of its own settings alone
        inputs = search.digest(counts)
        if not (reason := why_search_outdated(path, search, inputs)):
            return False
        if path.exists():
            say(f"{path} {reason}: it is made again")
        return attempt(search.name, path, lambda path: write_search(path, search, inputs, search.find(counts)))


def gather(settings: Mapping[str, str], searches: Sequence[Path], noise: Path) -> None:
    """Write the noise that was found for each setting of an experiment.

    Args:
        settings: Name of the search of each setting with a budget, by the setting's id.
        searches: Files of these searches.
        noise: Output: the calibrations.
    """
    found = {path.stem: read_search(path) for path in searches}
    write_calibrations(noise, {name: found[search] for name, search in settings.items()})
    say(f"{len(found)} searches found the noise of {len(settings)} settings")


def searches_digest(batch: SearchBatch) -> str:
    """Return the digest of the code that works off a batch of searches."""
    return short_hash(sorted({search_digest(search) for search in batch.searches.values()}))


def row_counts_of(setting: Setting, partitions: Sequence[Path]) -> Integers:
    """Return the number of rows B_i of each node, read from a file where the partition depends on the data.

    Args:
        partitions: Files of partitions with the rows of each node, where these depend on the data.
    """
    known = known_row_counts(setting)
    if known is not None:
        return known
    return read_row_counts(next(path for path in partitions if path.stem == setting.partition_name))
