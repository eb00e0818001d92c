"""Write the report: everything that is there, in one page that needs no other file."""

from pathlib import Path

from radmm.base.store import checked, read_metadata, write_text
from radmm.jobs.plan import read_experiment, read_study
from radmm.jobs.steps.brief import run_brief
from radmm.jobs.steps.command import say
from radmm.study.settings import StudySetting


def report(plan: Path, results: Path, data: Path, command: str, output: Path) -> None:
    """Studies that nobody asked for in this run are shown if an earlier one made them, of the same settings."""
    from radmm.results.report.gather import gather
    from radmm.results.report.page import make_page

    study = read_study(plan)
    experiments = {name: read_experiment(plan, name) for name in study["experiments"]}
    there = [name for name, settings in experiments.items() if _is_there(results, name, settings)]
    calibrated = {name: read_experiment(plan, name, results / "calibrations") for name in there}
    page = make_page(gather(study, calibrated, results, data, command))
    write_text(output, page)
    say(f"{len(there)} of {len(experiments)} experiments, {len(page.encode()) / 1e6:.1f} MB")


def _is_there(results: Path, name: str, settings: list[StudySetting]) -> bool:
    """Whether the experiment has a figure and a table, and the table is of these settings."""
    table = results / "tables" / f"{name}.parquet"
    if not (table.is_file() and (results / "figures" / f"{name}.png").is_file()):
        return False
    ids = [setting.id for setting in settings]
    return bool(read_metadata(checked(table))["settings"] == ids) and all(
        (results / "traces" / f"{each}.parquet").is_file() for each in ids
    )


if __name__ == "__main__":
    run_brief(report, __doc__, plan=Path, results=Path, data=Path, command=str, output=Path)
