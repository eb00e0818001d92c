"""Forecasts for dry runs: how many searches for noise would run, how many settings would be solved, and why.

A job does only what it finds to be missing or outdated, and a forecast asks the same questions of the files that are
there now. Where an input would be made again, nobody knows yet whether it comes out differently.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cache
from pathlib import Path

from radmm.base.store import fault, read_metadata
from radmm.jobs.batches import Batch, SearchBatch
from radmm.jobs.calibrations import read_search, why_search_outdated
from radmm.jobs.estimates import PROCESS_SECONDS
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import solver_digest
from radmm.jobs.study import Study
from radmm.jobs.up_to_date import outdated_file
from radmm.results.planned_curves import MOST_SECONDS
from radmm.study.settings import Setting

NEW, DAMAGED, CODE = "new", "damaged or without a record", "made by other code"
OTHERS = "made from other data, network or noise"
MAYBE = "made from data, network or noise that may be others now"


class Forecast:
    """Forecast of what the jobs of a run would find missing or outdated; files are only read.

    Args:
        kept: Folder in which jobs keep what they have finished.
        inputs: Input files of settings.
        anew: Files that would be made again.
        cores: Number of cores of the run.
    """

    def __init__(self, kept: Path, inputs: InputFiles, anew: Set[Path], cores: int) -> None:
        self._kept, self._inputs, self._anew, self._cores = kept, inputs, anew, cores
        self._fault = cache(fault)  # all settings of a data set read one file of features

    def searched(self, batches: Iterable[SearchBatch]) -> dict[str, float]:
        """Return the searches that would run, by name, each with its estimated seconds.

        Args:
            batches: Batches of searches whose jobs would run.
        """
        return {
            name: batch.costs[name]
            for batch in batches
            for name, search in batch.searches.items()
            if any(self._unknown(each) for each in search.needs_data)
            or why_search_outdated(self._search_path(name), search, None if search.needs_data else name)
        }

    def of_searches(self, searched: dict[str, float]) -> str:
        """Return one line about the searches that would run.

        Args:
            searched: Searches by name, each with its seconds.
        """
        number, taken = len(searched), duration(sum(searched.values()) / self._cores)
        return f"{number} search{'es' * (number > 1)} for noise would run, in about {taken}."

    def of_settings(self, batches: Sequence[Batch], searched: Collection[str]) -> str:
        """Return one line about the settings that would be solved.

        Args:
            batches: Batches of settings whose jobs would run.
            searched: Names of the searches that would run.
        """
        why = {name: self._why(batch, name, searched) for batch in batches for name in batch.settings}
        reasons = Counter(filter(None, why.values()))
        if not reasons:
            return "No setting would be solved: every trace that is needed is there."
        costs = sum(cost for batch in batches for name, cost in batch.costs.items() if why[name])
        taken = duration((len(batches) * PROCESS_SECONDS + costs) / self._cores)
        listed = "; ".join(f"{count} {'is' if count == 1 else 'are'} {reason}" for reason, count in reasons.items())
        kept = len(why) - reasons.total()
        rest = f"; {kept} that share their jobs stay as they are" if kept else ""
        return f"{_number(reasons)} would be solved, in about {taken}: {listed}{rest}."

    def of_tables(self, study: Study, experiments: Sequence[str]) -> list[str]:
        """Return a line about the tables that would be made, and one for each that has the cap in place of curves.

        Args:
            experiments: Experiments whose tables would be made.
        """
        if not experiments:
            return []
        taken = duration(sum(study.table_seconds(name) for name in experiments) / self._cores)
        made = f"{len(experiments)} table{'s' * (len(experiments) > 1)} would be made, in about {taken}."
        return [made, *capped_tables(study, experiments)]

    def _why(self, batch: Batch, name: str, searched: Collection[str]) -> str:
        """Return why a setting would be solved; empty if its trace is up to date."""
        trace = self._kept / "traces" / f"{name}.parquet"
        if fault(trace):
            return DAMAGED if trace.is_file() else NEW
        if read_metadata(trace).get("code") != solver_digest(batch.settings[name]):
            return CODE
        setting = self._with_noise(batch, name, searched)
        if setting is None:
            return MAYBE
        unknown = self._unknown(setting)
        if outdated_file(trace, setting, self._inputs.hashes(setting, unknown)):
            return OTHERS
        return MAYBE if unknown else ""

    def _with_noise(self, batch: Batch, name: str, searched: Collection[str]) -> Setting | None:
        """Return a setting with the noise that was found for it; None if that is searched again."""
        setting, search = batch.settings[name], batch.searches.get(name)
        if search is None:
            return setting
        path = self._search_path(search)
        return None if search in searched or fault(path) else setting.with_noise(read_search(path).noise)

    def _unknown(self, setting: Setting) -> set[Path]:
        """Return the inputs of a setting that would be made again, or that can't be read."""
        return {path for path in self._inputs.paths(setting) if path in self._anew or self._fault(path)}

    def _search_path(self, name: str) -> Path:
        return self._kept / "searches" / f"{name}.json"


def capped_tables(study: Study, experiments: Iterable[str]) -> list[str]:
    """Return a sentence for each experiment whose table has the shift accountant's cap, as its curves take too long."""
    found = {name: study.curves(name) for name in experiments}
    return [
        f"Table {name}: epsilon_shift-cap, which is larger, replaces epsilon_shift where the shift accountant didn't "
        f"calibrate: {each.number} curves would take {duration(each.seconds)}, more than {duration(MOST_SECONDS)}."
        for name, each in found.items()
        if each.capped
    ]


def _number(reasons: Counter[str]) -> str:
    """Return how many settings would be solved, in words that allow for those of which that isn't known."""
    most, least = reasons.total(), reasons.total() - reasons[MAYBE]
    settings = f"{most} setting{'s' * (most > 1)}"
    if least == most:
        return settings
    return f"{least} to {settings}" if least else f"Up to {settings}"


def duration(seconds: float) -> str:
    """Format seconds for people: to the second, the minute or a tenth of an hour."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
