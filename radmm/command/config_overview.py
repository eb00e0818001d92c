"""Overview of a config: its data column by column, its nodes, settings and time, and what is suspicious."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from radmm.base.json_object import JsonObject
from radmm.data.source import DataSource
from radmm.data.sources.table import OwnTable
from radmm.jobs.estimates import estimated_seconds
from radmm.jobs.forecast import capped_tables, duration
from radmm.jobs.study import Study
from radmm.study.setting_facts import known_row_counts, network_size
from radmm.study.settings import Setting

MOST_NETWORKS = 8  # networks that are listed one by one: shipped experiments have dozens


def overview(study: Study) -> JsonObject:
    """Return what a config was understood to mean, as JSON."""
    solving = sum(estimated_seconds(setting) for setting in study.settings)
    searching = sum(sum(batch.costs.values()) for batch in study.search_batches.values())
    return {
        "data": {name: _data(source) for name, source in study.data_sets.items()},
        "nodes": list(dict.fromkeys(_nodes(setting) for setting in study.settings)),
        "settings": {name: len(entries) for name, entries in study.experiments.items()},
        "seconds": round(solving + searching + study.table_seconds(*study.experiments), 1),
        "searches": len({search.name for search in study.search_of.values()}),
        "capped": capped_tables(study, study.experiments),
        "suspicions": study.suspicions,
    }


def _data(source: DataSource) -> JsonObject:
    facts: JsonObject = source.size()._asdict()
    if not isinstance(source, OwnTable):
        return facts
    scan = source.scan()
    columns = [column._asdict() for column in scan.columns]
    return {
        "file": source.file,
        **facts,
        "label": source.label,
        "rows_of_class": dict(scan.classes),
        "columns": columns,
    }


def _nodes(setting: Setting) -> str:
    """Return the network and the number of training rows of its nodes."""
    nodes, _ = network_size(setting)
    counts = known_row_counts(setting)
    if counts is None:
        rows = f"training rows as the partition {setting.partition.name} spreads them"
    elif (least := int(np.min(counts))) == (most := int(np.max(counts))):
        rows = f"{least} training rows each"
    else:
        rows = f"{least} to {most} training rows"
    return f"{setting.network.name}, {nodes} node{'s' * (nodes > 1)}: {rows}"


def as_text(facts: Mapping[str, Any]) -> str:
    """Format an overview for people.

    Args:
        facts: As `overview` returns them.
    """
    return "\n".join(_lines(facts))


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    for name, data in facts["data"].items():
        yield f"data {name}: {data['rows']} rows, {data['features']} features, {data['classes']} classes"
        yield from _table_lines(data)
    yield from (f"network {nodes}" for nodes in facts["nodes"][:MOST_NETWORKS])
    if more := len(facts["nodes"]) - MOST_NETWORKS:
        yield from [f"and {more} more networks"] * (more > 0)
    listed = ", ".join(f"{name} ({count})" for name, count in facts["settings"].items()) or "none"
    number = sum(facts["settings"].values())
    searches = f", {found} searches for noise" if (found := facts["searches"]) else ""
    taken = duration(facts["seconds"])
    yield f"experiments: {listed}; {number} settings{searches}, about {taken} on one core if all are new"
    yield from facts["capped"]
    yield from (f"suspicious: {sentence}" for sentence in facts["suspicions"])


def _table_lines(data: Mapping[str, Any]) -> Iterator[str]:
    if "file" not in data:
        return
    classes = ", ".join(f"{name} ({rows} rows)" for name, rows in data["rows_of_class"].items())
    yield f"  from {data['file']}; label {data['label']}: {classes}"
    columns = [(column["name"] or "(no name)", column["kind"], column["values"]) for column in data["columns"]]
    widths = [max((len(column[place]) for column in columns), default=0) for place in range(3)]
    for column, cells in zip(data["columns"], columns, strict=True):
        told = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"  {told}  {column['becomes']}".rstrip()
