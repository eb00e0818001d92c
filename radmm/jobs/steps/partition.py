"""Spread the training rows over the nodes: check every setting with the rows its nodes have, and draw who has what."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.errors import Complaints, InputError
from radmm.data.files import read_features, read_split
from radmm.data.holdings import Holdings
from radmm.data.partition import make_partition, spread_rows
from radmm.jobs.estimates import network_size
from radmm.jobs.steps.command import say
from radmm.results.figures.partition import figure
from radmm.study.budgets import reference_of
from radmm.study.public import facts_of
from radmm.study.resolution import check_facts
from radmm.study.settings import StudySetting, partition_name


def partition(
    name: str,
    section: dict[str, Any],
    settings: Mapping[str, Sequence[StudySetting]],
    features: Path,
    split: Path,
    facts: Path,
    pdf: Path,
    png: Path,
) -> None:
    """Write and draw how many rows of which class each node has.

    Args:
        name: What the partition is called.
        section: What determines it: data, split, network and partition.
        settings: All settings of those experiments that use it.
        features: The data set's rows.
        split: Which of them are for training.
        facts: Where the counts go.
        pdf: Where the figure goes.
        png: Where it goes as a picture.
    """
    nodes, _ = network_size(section)
    data = read_features(features)
    rows = data.training_rows(read_split(split))
    held = Holdings.of(rows, spread_rows(make_partition(section["partition"]), rows, nodes), nodes)
    problems = Complaints()
    for experiment, its_settings in settings.items():
        _check(experiment, its_settings, name, held, problems)
    if problems:
        raise InputError(str(problems))
    held.write(facts, section)
    figure(held, section, pdf, png, {"data": [data.hash], "partition": [name]})
    say(f"{len(rows)} training rows at {nodes} nodes, {held.extremes}")


def _check(experiment: str, settings: Sequence[StudySetting], name: str, held: Holdings, problems: Complaints) -> None:
    """What waited for the rows of each node: whether C fits, the bound's condition holds, and a budget can be met."""
    by_id = {setting.id: setting for setting in settings}
    for setting in settings:
        if partition_name(setting.parameters, network_size(setting.parameters)[0]) != name:
            continue
        other = by_id.get(reference_of(setting.parameters) or "")
        try:
            own = facts_of(setting.parameters, held.row_counts)
            check_facts(setting.parameters, own, None if other is None else other.parameters)
        except InputError as error:
            problems.add(str(error), f"experiments.{experiment}.settings.{setting.label}")
