"""Judge the claims after a look of a replication: write the effects of all pairs so far, and what they show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, write_json, write_parquet
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.replication import ReplicationLook
from radmm.jobs.steps.solve import ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_current
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.replication import cases_to_json, effects_on_pair, judge_all, open_cases, over_pairs
from radmm.results.claims.verdict import Criteria
from radmm.study.entries import Entry
from radmm.study.setting_facts import size_of


def replication(
    look: ReplicationLook,
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
    """Measure the open cases on the look's pairs and judge all claims by the pairs so far.

    Args:
        criteria: Level and margins.
        experiments: Digest of the experiments that are replicated.
        code: Digest of the code that judges.
        calibrations: Files with the noise of settings with a budget.
        traces: Traces of all its settings, in one folder; their ledgers are in a folder beside it.
        features: Features of the data set.
        networks: Networks of the settings.
        previous: Effects of the look before it; none for the first.
        effects: Output: one row for each case and pair.
        outcome: Output: means and deviations of all cases, and those that are still open.
    """
    pairs = {
        seed: {name: calibrated(entries, calibrations) for name, entries in pair.items()}
        for seed, pair in look.pairs.items()
    }
    table = pd.concat([*map(_read_effects, previous), *_effects(look, pairs, traces, features, networks)])
    cases = over_pairs(table)
    verdicts = judge_all(cases, replace(criteria, looks=len(look.looks)))
    content: JsonObject = {
        **_about(look),
        "level": criteria.level,
        "margins": dict(criteria.margins),
        "experiments": experiments,
        "code": code,
        "open": open_cases(verdicts).parameters,
        "claims": cases_to_json(cases),
    }
    write_parquet(effects, table.reset_index(drop=True), _about(look))
    write_json(outcome, content)
    for verdict in verdicts:
        say(f"{verdict.claim.name}: {verdict}")


def _read_effects(path: Path) -> pd.DataFrame:
    return pd.read_parquet(checked(path))


def _effects(
    look: ReplicationLook,
    pairs: Mapping[int, dict[str, list[Entry]]],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
) -> Iterator[pd.DataFrame]:
    """Yield the effects of the open cases in each of the look's pairs."""
    folder, ledgers = traces[0].parent, ledger_path(traces[0]).parent
    every = (entry.setting for pair in pairs.values() for entries in pair.values() for entry in entries)
    require_current(every, folder, InputFiles.beside(features, networks))
    for seed, pair in pairs.items():
        evidence = Evidence(pair, folder, ledgers)
        yield effects_on_pair(look.open_cases, evidence, seed)
        for reason in evidence.missing:
            say(f"pair {seed}: {reason}")


def _about(look: ReplicationLook) -> JsonObject:
    """Return what was run: a claim's cases tell how many pairs it took."""
    setting = look.entries[0].setting
    train = setting.split.train
    return {
        "data": look.data,
        "source": setting.data_name,
        "pairs": look.looks[look.number - 1],
        "looks": list(look.looks),
        "runs": max(entry.setting.runs for entry in look.entries),
        "last_seed": max(look.pairs),
        "train": train,
        "test": setting.split.test or size_of(setting).rows - train,
    }
