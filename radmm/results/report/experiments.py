"""The report's page of an experiment: its figure, table, parameters and provenance."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, read_metadata
from radmm.metrics.metric import all_metrics
from radmm.results.figures.captions import spent
from radmm.results.figures.curves import last_iteration
from radmm.results.figures.figure import Material
from radmm.results.report.display_names import BUDGET, metric_names, parameter_name, total_names, value_text
from radmm.results.report.plotly_styles import looks_of_labels
from radmm.results.settings_table import flatten
from radmm.study.component_json import short_hash
from radmm.study.entries import Entry
from radmm.study.figure_registry import FIGURES

FIRST_VIEWS = {  # first view of a kind of figure, where it is not the loss over the iterations
    "regulariser": {"x": "problem.rho", "metric": "error_rate"},
    "frontier": {"x": BUDGET, "metric": "error_rate"},
    "condition": {"x": "algorithm.gamma", "metric": "distance"},
    "limit": {"metric": "distance"},
}
MOST_VALUES = 12  # values of a parameter that a caption lists


def experiment_page(
    name: str, part: Mapping[str, Any], settings: Sequence[Entry], results: Path, command: str
) -> JsonObject:
    """Return the content of an experiment's page, without its curves.

    Args:
        part: Title, set, figure and partitions of the experiment.
        settings: Entries of the experiment, with calibrated noise.
        command: Command that runs the workflow as it was run, up to the folder of results.
    """
    table = results / "tables" / f"{name}.parquet"
    timings = results / "timings" / f"{name}.parquet"
    stored, kind = read_metadata(table), FIGURES[part["figure"]](**part["options"])
    material = kind.arranged(Material.read(table, timings if timings.is_file() else None))
    first = {each.label: each.id for each in reversed(settings)}  # of each label
    return {
        "name": name,
        "title": part["title"],
        "set": part["set"],
        "kind": part["figure"],
        "figure": picture(results / "figures" / f"{name}.svg"),
        "partitions": [
            {
                "text": f"Who has which training rows in {name}: {each}",
                "figure": picture(results / "partitions" / f"{each}.svg"),
            }
            for each in part["partitions"]
        ],
        "axes": [{"path": path, "name": parameter_name(path)} for path in _axes(settings)],
        "settings": [
            {
                "id": each.id,
                "label": each.label,
                "point": {axis: value_text(value) for axis, value in each.grid_point.items()},
                "private": each.setting.noise is not None,
                "split": each.setting.split_name,
                "network": each.setting.network_name,
                "task": _task(each),
            }
            for each in settings
        ],
        "looks": looks_of_labels(material, first),
        "first": FIRST_VIEWS.get(part["figure"], {}),
        **_parameters(settings),
        "ends": _ends(material.table, stored, settings),
        "provenance": {"data": stored["data"], "code": stored["code"]},
        "caption": kind.caption(material),
        "conditions": [*told, *stored["caveats"], stored["assumed"]] if (told := spent(material)) else [],
        "caveats": stored["caveats"],
        "runs_ended": len(stored["runs_ended"]),
        "command": f"{command}/figures/{name}.pdf",
        "trace_command": f"{command}/traces",
    }


def _task(entry: Entry) -> str:
    """Return the digest of what two settings must share for their losses and errors to be compared."""
    sections = entry.setting.to_json()
    return short_hash([sections[name] for name in ("data", "split", "network", "partition", "problem")])


def picture(svg: Path) -> str:
    """Return a figure as the text of its SVG element.

    Args:
        svg: File that the figure's step wrote.
    """
    text = checked(svg).read_text(encoding="utf-8")
    return text[text.index("<svg") :]


def _axes(settings: Sequence[Entry]) -> list[str]:
    """Return the axes of the grid on which settings differ."""
    paths = dict.fromkeys(axis for setting in settings for axis in setting.grid_point)
    return [path for path in paths if len({value_text(each.grid_point.get(path)) for each in settings}) > 1]


def _parameters(settings: Sequence[Entry]) -> JsonObject:
    """Return the parameters that all settings share, and the values of those that differ."""
    flat = [flatten(setting.parameters) for setting in settings]
    shared, varied = [], []
    for path in dict.fromkeys(path for each in flat for path in each):
        values = list(dict.fromkeys(value_text(each[path]) for each in flat if path in each))
        if len(values) == 1 and all(path in each for each in flat):
            shared.append([parameter_name(path), values[0]])
        else:
            more = f" and {len(values) - MOST_VALUES} more" if len(values) > MOST_VALUES else ""
            varied.append([parameter_name(path), "; ".join(values[:MOST_VALUES]) + more])
    return {"shared": shared, "varied": varied}


def _ends(table: pd.DataFrame, stored: Mapping[str, Any], settings: Sequence[Entry]) -> list[JsonObject]:
    """Return the last iteration of each setting: mean, minimum and maximum over the runs, and its total ε."""
    by_setting: dict[str, JsonObject] = {}
    for row in last_iteration(table).to_dict("records"):
        by_setting.setdefault(row["setting"], {})[row["metric"]] = row
    totals, every = total_names(), all_metrics()
    outcomes = [name for name in metric_names() if every[name].of_outcome]
    ends = []
    for each in settings:
        found = by_setting[each.id]
        end: JsonObject = {"T": each.setting.iterations, "K": stored["data_steps"][each.id]}
        end["runs"] = each.setting.runs
        for metric in (metric for metric in outcomes if metric in found):
            row = found[metric]
            end[metric] = float(row["mean"])
            if row["range"] > 0:
                end[f"{metric}_min"], end[f"{metric}_max"] = float(row["min"]), float(row["max"])
        end |= {metric: float(found[metric]["mean"]) for metric in totals if metric in found}
        ends.append({key: value for key, value in end.items() if value == value and abs(value) != float("inf")})
    return ends
