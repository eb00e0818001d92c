"""Write the report: everything that is there, in one page that needs no other file."""

from pathlib import Path

from radmm.base.store import checked, read_metadata, write_text
from radmm.jobs.currency import changed_sources, current_hashes, outdated_file, require_current, require_sources
from radmm.jobs.digest import read_known
from radmm.jobs.inputs import InputFiles
from radmm.jobs.plan import CODE, read_experiment, read_study
from radmm.jobs.steps.command import run, say
from radmm.results.report.gather import gather
from radmm.results.report.page import make_page
from radmm.study.sets import Set
from radmm.study.settings import StudySetting

LEFT_BY_EARLIER_RUNS = (Set.CASE, Set.STUDY)  # shown if they are there; a run that doesn't ask for them leaves them


def report(plan: Path, results: Path, data: Path, command: str, output: Path) -> None:
    """Studies that nobody asked for in this run are shown if an earlier one made them, of the same settings."""
    read_known(plan / CODE)
    study = read_study(plan)
    experiments = {name: read_experiment(plan, name) for name in study["experiments"]}
    there = [name for name, settings in experiments.items() if _is_there(results, name, settings)]
    calibrated = {name: read_experiment(plan, name, results / "calibrations") for name in there}
    inputs = InputFiles(data, results / "networks")
    for name, settings in list(calibrated.items()):
        if study["experiments"][name]["set"] not in LEFT_BY_EARLIER_RUNS:
            require_current(settings, results / "traces", inputs)
            require_sources(results / "tables" / f"{name}.parquet")
        elif reason := _why_left_out(results, name, settings, inputs):
            say(f"{name} is left out: {reason}")
            del calibrated[name]
    page = make_page(gather(study, calibrated, results, data, command))
    write_text(output, page)
    say(f"{len(calibrated)} of {len(experiments)} experiments, {len(page.encode()) / 1e6:.1f} MB")


def _is_there(results: Path, name: str, settings: list[StudySetting]) -> bool:
    """Whether the experiment has a figure and a table, and the table is of these settings."""
    table = results / "tables" / f"{name}.parquet"
    if not (table.is_file() and (results / "figures" / f"{name}.png").is_file()):
        return False
    ids = [setting.id for setting in settings]
    return bool(read_metadata(checked(table))["settings"] == ids) and all(
        (results / "traces" / f"{each}.parquet").is_file() for each in ids
    )


def _why_left_out(results: Path, name: str, settings: list[StudySetting], inputs: InputFiles) -> str:
    """A sentence on what of an experiment is not what this run asks for; empty if all is."""
    for setting in settings:
        trace, hashes = results / "traces" / f"{setting.id}.parquet", current_hashes(inputs, setting.parameters)
        if found := outdated_file(trace, setting.id, setting.parameters, hashes):
            return f"{found[0]} {found[1]}"
    table = results / "tables" / f"{name}.parquet"
    return next((f"{table} was made of another version of {source}" for source in changed_sources(table)), "")


if __name__ == "__main__":
    run(report, __doc__, plan=Path, results=Path, data=Path, command=str, output=Path)
