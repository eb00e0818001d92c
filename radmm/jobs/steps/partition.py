"""Spread the training rows over the nodes: check every setting with the rows its nodes have, and draw who has what."""

from pathlib import Path

from radmm.base.errors import Complaints, InputError
from radmm.data.files import read_features, read_split
from radmm.data.holdings import Holdings
from radmm.data.partition import make_partition, spread_rows
from radmm.jobs.estimates import network_size
from radmm.jobs.plan import read_experiment, read_study
from radmm.jobs.steps.command import run, say
from radmm.results.figures.partition import figure
from radmm.study.budgets import reference_of
from radmm.study.public import facts_of
from radmm.study.resolution import check_facts
from radmm.study.settings import partition_name


def partition(plan: Path, name: str, features: Path, split: Path, facts: Path, pdf: Path, png: Path) -> None:
    study = read_study(plan)
    section = study["partitions"][name]
    nodes, _ = network_size(section)
    data = read_features(features)
    rows = data.training_rows(read_split(split))
    held = Holdings.of(rows, spread_rows(make_partition(section["partition"]), rows, nodes), nodes)
    problems = Complaints()
    for experiment, part in study["experiments"].items():
        if name in part["partitions"]:
            _check(plan, experiment, name, held, problems)
    if problems:
        raise InputError(str(problems))
    held.write(facts, section)
    figure(held, section, pdf, png, {"data": [data.hash], "partition": [name]})
    say(f"{len(rows)} training rows at {nodes} nodes, {held.extremes}")


def _check(plan: Path, experiment: str, name: str, held: Holdings, problems: Complaints) -> None:
    """What waited for the rows of each node: whether C fits, the bound's condition holds, and a budget can be met."""
    settings = {setting.id: setting for setting in read_experiment(plan, experiment)}
    for setting in settings.values():
        if partition_name(setting.parameters, network_size(setting.parameters)[0]) != name:
            continue
        other = settings.get(reference_of(setting.parameters) or "")
        try:
            own = facts_of(setting.parameters, held.row_counts)
            check_facts(setting.parameters, own, None if other is None else other.parameters)
        except InputError as error:
            problems.add(str(error), f"experiments.{experiment}.settings.{setting.label}")


if __name__ == "__main__":
    paths = dict.fromkeys(("plan", "features", "split", "facts", "pdf", "png"), Path)
    run(partition, __doc__, name=str, **paths)
