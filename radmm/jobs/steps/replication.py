"""Judge the claims after a look of a replication: write the effects of all pairs so far, and what they show."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, write_json, write_parquet
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.replication import Look, read_look
from radmm.jobs.steps.solve import ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_current
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.replication import cases_to_json, effects_on_pair, judge_all, over_pairs
from radmm.results.claims.verdict import Criteria
from radmm.study.setting_facts import size_of


def replication(
    look: Look,
    criteria: Criteria,
    experiments: str,
    code: str,
    calibrations: Sequence[Path],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    previous: Sequence[Path],
    effects: Path,
    outcome: Path,
) -> None:
    """Measure the open claims on the look's pairs and judge all claims by the pairs so far.

    Args:
        look: The look.
        criteria: Level and margins.
        experiments: Digest of the experiments that are replicated.
        code: Digest of the code that judges.
        calibrations: Files with the noise of settings with a budget.
        traces: Traces of all its settings, in one folder; their ledgers are in a folder beside it.
        features: Features of the data set.
        networks: Networks of the settings.
        previous: Effects and outcome of the look before it; none for the first.
        effects: Output: one row for each case and pair.
        outcome: Output: means and deviations of all cases, and the claims that are still open.
    """
    folder = traces[0].parent
    require_current((entry.setting for entry in look.entries), folder, InputFiles.beside(features, networks))
    parts = [pd.read_parquet(checked(path)) for path in previous if path.suffix == ".parquet"]
    for seed, pair in look.pairs.items():
        settings = {name: calibrated(entries, calibrations) for name, entries in pair.items()}
        evidence = Evidence(settings, folder, ledger_path(traces[0]).parent)
        parts.append(effects_on_pair(look.claims, evidence, seed))
        for reason in evidence.missing:
            say(f"pair {seed}: {reason}")
    table = pd.concat(parts, ignore_index=True)
    cases = over_pairs(table)
    full = Criteria(criteria.level, criteria.margins, len(look.looks))
    verdicts = judge_all(cases, full)
    undecided = [verdict.claim.name for verdict in verdicts if not verdict.is_decided]
    earlier = [read_look(path)["settings"] for path in previous if path.suffix == ".json"]
    any_setting = look.entries[0].setting
    content: JsonObject = {
        "data": look.data,
        "pairs": look.looks[look.number - 1],
        "looks": look.looks,
        "runs": max(entry.setting.runs for entry in look.entries),
        "first_seed": int(table["pair"].min()),
        "train": any_setting.split.train,
        "test": any_setting.split.test or size_of(any_setting).rows - any_setting.split.train,
        "level": criteria.level,
        "margins": dict(criteria.margins),
        "experiments": experiments,
        "code": code,
        "settings": sum(earlier) + len({entry.id for entry in look.entries}),
        "open": undecided,
        "claims": cases_to_json(cases),
    }
    write_parquet(effects, table, {"data": look.data, "pairs": content["pairs"]})
    write_json(outcome, content)
    for verdict in verdicts:
        say(f"{verdict.claim.name}: {verdict}")
