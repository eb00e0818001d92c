"""Recommendations of a tuned study: for each network, partition and budget a method, its parameters, and what to
expect.

With several data sets, parameters are those of least mean regret over all of them, and what to expect is the mean over
data sets of what was chosen without them: never tuned on the data that they are judged on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import mode
from typing import Any

import pandas as pd

from radmm.results.frontier.answers import MODELS, answer, over_data_sets, under
from radmm.results.frontier.judgement import OTHER, SAME
from radmm.results.frontier.selection import TunedBudget
from radmm.results.frontier.transfer import WAY, Measured, best_way, readings, within

SECTIONS = ("algorithm", "network", "partition", "problem")  # sections of a setting that a recommendation repeats
TOLD = ("cell", "neighbours", "epsilon", "method", "error", "low", "high", "curator", "above")
OF_NOISE = ("kind", "cancelling", "colluders")  # the noise's scale is found for the budget


def recommendations(groups: Sequence[Measured], table: pd.DataFrame, references: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each threat model, cell, relation and budget.

    Args:
        groups: Measured rows and metadata of every group of the study.
        table: Judged and priced methods, without references.
        references: Judged references, of which those without privacy spend nothing.
    """
    chosen_on = OTHER if (table["chosen_on"] == OTHER).any() else SAME
    means, alone = (over_data_sets(each[each["chosen_on"] == chosen_on]) for each in (table, references))
    free = alone[alone["spent"] == 0].groupby(["neighbours", "epsilon"])["error"].min().rename("free")
    means = means.merge(free, "left", left_on=list(free.index.names), right_index=True)
    return pd.DataFrame(_rows(groups, means, sorted(set(table["data_set"]))))


def _rows(groups: Sequence[Measured], means: pd.DataFrame, data_sets: Sequence[str]) -> Iterator[dict[str, Any]]:
    for secrets in MODELS:
        for _, part in under(means, secrets).groupby(["cell", "neighbours", "epsilon"], sort=False):
            best = answer(part).best
            family = [group for group in groups if _is_of(group, best["cell"], best["method"])]
            yield {
                "secrets": secrets,
                **{name: best[name] for name in (*TOLD, "free")},
                "data_sets": ", ".join(data_sets),
                **_parameters(family, TunedBudget(best["neighbours"], best["epsilon"])),
            }


def _is_of(group: Measured, cell: str, method: str) -> bool:
    return (group[1]["cell"], group[1]["method"]) == (cell, method)


def _parameters(family: Sequence[Measured], budget: TunedBudget) -> dict[str, Any]:
    """Return the way of least mean regret over all data sets, with the sections of a setting that is run that way."""
    tables = [within(group, readings(group), budget) for group in family]
    found = best_way(tables, tables[0].index)
    if found is None:
        return {}
    way, _ = found
    candidate: Mapping[str, Any] = family[0][1]["candidates"][tables[0].loc[way, "setting"]]
    noise = {name: value for name, value in candidate["noise"].items() if name in OF_NOISE}
    network, partition = dict(candidate["network"]), dict(candidate["partition"])
    for section in (network, partition):
        section.pop("seed", None)
    told = {**candidate, "network": network, "partition": partition}
    return {
        **dict(zip(WAY[1:], (int(way[1]), bool(way[2])), strict=True)),
        "train": mode(_training_rows(group) for group in family),
        **{section: json.dumps(told[section], sort_keys=True) for section in SECTIONS},
        "noise": json.dumps(noise, sort_keys=True),
    }


def _training_rows(group: Measured) -> int:
    """Return the number of training rows of a group's candidates, which all are of one data set."""
    candidate: Mapping[str, Any] = next(iter(group[1]["candidates"].values()))
    return int(candidate["split"]["train"])
