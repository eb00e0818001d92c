"""Write the interactive report: all existing results, in one HTML file that needs no other."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.store import checked, read_metadata, write_text
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import changed_sources, current_hashes, outdated_file, require_current, require_sources
from radmm.results.report.content import gather
from radmm.results.report.page import make_page
from radmm.study.entries import Entry
from radmm.study.experiment_sets import ExperimentSet
from radmm.study.settings import Setting

# Shown if they are there: a run that doesn't ask for them leaves them as they are.
LEFT_BY_EARLIER_RUNS = (ExperimentSet.CASE, ExperimentSet.STUDY)


def report(
    experiments: Mapping[str, Sequence[Entry]],
    described: Mapping[str, Mapping[str, Any]],
    command: str,
    settings: Path,
    networks: Sequence[Path],
    facts: Sequence[Path],
    page: Path,
) -> None:
    """Write the report of all experiments that have results.

    Studies that this run doesn't make are shown if an earlier run made them, of the same settings.

    Args:
        experiments: Entries of each experiment.
        described: Set, kind of figure and names of partitions of each experiment.
        command: Command that runs the workflow as it was run, up to the folder of results.
        settings: Table of settings; all other results of the study are beside it.
        networks: Networks of the settings, in one folder.
        facts: Files on how data sets were made, in the folder of prepared data.
        page: Output: the report.
    """
    results, data = settings.parent, facts[0].parent
    there = {name: each for name, each in experiments.items() if _is_there(results, name, each)}
    found = {name: results / "calibrations" / f"{name}.json" for name in there}
    shown = {name: calibrated(each, [found[name]] * found[name].is_file()) for name, each in there.items()}
    inputs = InputFiles.beside(facts, networks)
    for name, entries in list(shown.items()):
        its_settings = [entry.setting for entry in entries]
        if described[name]["set"] not in LEFT_BY_EARLIER_RUNS:
            require_current(its_settings, results / "traces", inputs)
            require_sources(results / "tables" / f"{name}.parquet")
        elif reason := _why_left_out(results, name, its_settings, inputs):
            say(f"{name} is left out: {reason}")
            del shown[name]
    text = make_page(gather(described, shown, results, inputs.networks, data, command))
    write_text(page, text)
    say(f"{len(shown)} of {len(experiments)} experiments, {len(text.encode()) / 1e6:.1f} MB")


def _is_there(results: Path, name: str, entries: Sequence[Entry]) -> bool:
    """Return whether an experiment has a figure and a table, and the table is of these settings."""
    table = results / "tables" / f"{name}.parquet"
    if not (table.is_file() and (results / "figures" / f"{name}.svg").is_file()):
        return False
    ids = [entry.id for entry in entries]
    return bool(read_metadata(checked(table))["settings"] == ids) and all(
        (results / "traces" / f"{each}.parquet").is_file() for each in ids
    )


def _why_left_out(results: Path, name: str, settings: Sequence[Setting], inputs: InputFiles) -> str:
    """Return a sentence on which of an experiment's results are outdated; empty if none is."""
    for setting in settings:
        trace, hashes = results / "traces" / f"{setting.id}.parquet", current_hashes(inputs, setting)
        if found := outdated_file(trace, setting, hashes):
            return f"{found[0]} {found[1]}"
    table = results / "tables" / f"{name}.parquet"
    return next((f"{table} was made of another version of {source}" for source in changed_sources(table)), "")
