"""Distribute the training rows over the nodes, check every setting with the rows of its nodes, and draw the result."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.errors import Complaints, InputError
from radmm.data.holdings import Holdings
from radmm.data.partition import spread_rows
from radmm.data.prepared_files import read_features, read_split
from radmm.jobs.steps.step_runner import say
from radmm.results.figures.partition import describe, figure
from radmm.study.entries import Entry
from radmm.study.setting_checks import check_facts
from radmm.study.setting_facts import facts_of, network_size
from radmm.study.settings import Setting


def partition(
    name: str,
    setting: Setting,
    settings: Mapping[str, Sequence[Entry]],
    features: Path,
    split: Path,
    facts: Path,
    pdf: Path,
    png: Path,
    svg: Path,
) -> None:
    """Write and draw how many rows of each class every node has.

    Args:
        setting: Setting that has the partition.
        settings: Entries of the experiments and studies that use the partition, by their section of the config.
        features: Features of the data set.
        split: Split into training and test rows.
        facts: Output: the numbers of rows.
        pdf: Output: the figure.
        png: Output: the figure as a picture.
        svg: Output: the figure for the report.
    """
    nodes, _ = network_size(setting)
    data = read_features(features)
    rows = data.training_rows(read_split(split))
    held = Holdings.of(rows, spread_rows(setting.partition, rows, nodes), nodes)
    problems = Complaints()
    for section, entries in settings.items():
        _check(section, entries, name, held, problems)
    problems.raise_if_any()
    parameters = setting.to_json()
    held.write(facts, {part: parameters[part] for part in ("data", "split", "network", "partition")})
    title = describe(setting.data_name, setting.partition, held)
    figure(held, title, pdf, png, svg, {"data": [data.hash], "partition": [name]})
    say(f"{len(rows)} training rows at {nodes} nodes, {held.extremes}")


def _check(section: str, entries: Sequence[Entry], name: str, held: Holdings, problems: Complaints) -> None:
    """Check what depends on the rows of each node: that C fits, the bound's condition holds, and budgets can be met."""
    by_id = {entry.id: entry.setting for entry in entries}
    for entry in (each for each in entries if each.setting.partition_name == name):
        setting = entry.setting
        try:
            check_facts(setting, facts_of(setting, held.row_counts), by_id.get(setting.reference or ""))
        except InputError as error:
            problems.add(str(error), f"{section}.{entry.label}")
