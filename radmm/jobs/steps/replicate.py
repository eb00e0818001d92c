"""Run a method in a cell at equal budgets, on splits and graphs to choose its hyper-parameters on, and on others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.store import write_parquet
from radmm.data.prepared_files import DataSet, read_features
from radmm.jobs.steps.step_runner import say
from radmm.jobs.steps.tune import ABOUT, TUNED_METRICS, Bench
from radmm.model.public_facts import PublicFacts
from radmm.privacy.calibration import BudgetError
from radmm.results.frontier.replication import asked, best_candidates
from radmm.study.budgets import calibrate_all
from radmm.study.entries import Entry
from radmm.study.groups import Group, drawn_with
from radmm.study.setting_facts import facts_of
from radmm.study.settings import Setting


def replicate(group: Group, study: dict[str, Any], features: Path, runs: Path) -> None:
    """Write what was measured of a method's candidates, each with the noise that meets its budget.

    Args:
        group: The candidates.
        study: What the config says of their study.
        features: The data set's rows.
        runs: Where it goes.
    """
    this, unmet = calibrated(group, read_features(features), [*study["selection"], *study["judgement"]])
    say(f"{this.method}, {this.cell}: {len(this.candidates)} candidates with their noise, {unmet} can't have one")
    bench = Bench(this, read_features(features))
    every = [candidate.id for candidate in this.candidates]
    for seed in study["selection"]:
        bench.run("selection", seed, every, this.rounds[-1])
    chosen = best_candidates(this.candidates, bench.errors(every))
    say(f"{len(chosen)} choices made on {len(study['selection'])} seeds")
    shown = set(every) if this.method in study.get("throughout", []) else set(chosen.values())
    published = {candidate.id for candidate in this.candidates if _agrees(candidate, study.get("published"))}
    shown |= published
    for seed in study["judgement"]:
        bench.run("judgement", seed, shown, this.rounds[-1])
        say(f"{len(shown)} candidates judged on seed {seed}")
    metadata = {
        "cell": this.cell,
        "method": this.method,
        "candidates": {candidate.id: candidate.parameters for candidate in this.candidates},
        "asked": {candidate.id: asked(candidate) for candidate in group.candidates},
        "published": sorted(published),
        "chosen": [{**budget._asdict(), "setting": setting} for budget, setting in chosen.items()],
        "runs": len(bench.rows),
    }
    write_parquet(runs, pd.DataFrame(bench.rows, columns=[*ABOUT, *TUNED_METRICS]), metadata)


def calibrated(group: Group, data: DataSet, seeds: list[int]) -> tuple[Group, int]:
    """The candidates with one noise for the networks of all seeds, and how many have none, as none is enough.

    Args:
        group: As the config has it.
        data: All rows.
        seeds: Of selection and judgement.
    """
    bench, found = Bench(group, data), []
    for candidate in group.candidates:
        drawn = [drawn_with(candidate.setting, seed) for seed in seeds]
        try:
            found.append(_with_scale(candidate, [(each, facts_of(each, bench.row_counts(each))) for each in drawn]))
        except BudgetError:
            continue
    return replace(group, candidates=found), len(group.candidates) - len(found)


def _with_scale(candidate: Entry, drawn: list[tuple[Setting, PublicFacts]]) -> Entry:
    return candidate if candidate.setting.is_calibrated else candidate.with_noise(calibrate_all(drawn))


def _agrees(candidate: Entry, point: dict[str, float] | None) -> bool:
    """Whether a candidate has what is published, if that is known."""
    return bool(point) and all(candidate.point.get(axis, value) == value for axis, value in (point or {}).items())
