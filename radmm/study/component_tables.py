"""Markdown tables of the components by kind with their parameters, made from the registries for config/reference.md."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radmm.algorithms.algorithm import ALGORITHMS
from radmm.base.docstrings import summary
from radmm.base.store import write_text
from radmm.data.partition import PARTITIONS
from radmm.data.source import SOURCES
from radmm.data.topology import TOPOLOGIES
from radmm.metrics.metric import METRICS
from radmm.model.losses.loss import LOSSES
from radmm.model.schedules.schedule import SCHEDULES
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.noise import NOISES
from radmm.study.component_sections import component_section
from radmm.study.figure_registry import FIGURES

BEGIN, END = "<!-- components: written by `make schema` -->", "<!-- end of components -->"
KINDS: dict[str, tuple[Mapping[str, Any], str]] = {
    "`data`": (SOURCES, "name"),
    "`network`, by `law`": (TOPOLOGIES, "law"),
    "`partition`, by `law`": (PARTITIONS, "law"),
    "`problem.loss`": (LOSSES, "name"),
    "`algorithm`, by `name`": (ALGORITHMS, "name"),
    "`noise`, by `kind`": (NOISES, "kind"),
    "`algorithm.penalty`, `algorithm.step`, `noise.alpha` or `noise.sigma`, by `schedule`": (SCHEDULES, SCHEDULES.tag),
    "`noise.accountant`": (ACCOUNTANTS, "name"),
    "`figure.y` of the kind `metric`": (METRICS, "name"),
    "`figure`, by `kind`": (FIGURES, "kind"),
}


def reference() -> str:
    """Return one Markdown table for each kind of component."""
    return "\n\n".join(_table(heading, registry, tag) for heading, (registry, tag) in KINDS.items())


def _table(heading: str, registry: Mapping[str, Any], tag: str) -> str:
    """Return the table of a kind; its first row has the parameters that all components of the kind share."""
    lines = [f"**{heading}**", "", "| name | what it is | parameters |", "|---|---|---|"]
    every = {name: component_section(component, tag).model_fields for name, component in registry.items()}
    common = set.intersection(*(set(fields) for fields in every.values()))
    if len(every) > 1 and common > {tag}:
        some = next(iter(every.values()))
        lines.append(f"| every {tag} | | {_cell(_parameters(some, set(some) - common | {tag}))} |")
    else:
        common = {tag}
    for name, fields in every.items():
        lines.append(f"| `{name}` | {_cell(summary(registry[name]))} | {_cell(_parameters(fields, common))} |")
    return "\n".join(lines)


def _parameters(fields: Mapping[str, Any], left_out: set[str]) -> str:
    return "; ".join(_field(about.alias or name, about) for name, about in fields.items() if name not in left_out)


def _field(name: str, field: Any) -> str:
    told = (field.description or "").rstrip(".")
    default = f" (default: {field.default})" if not field.is_required() and _is_told(field.default) else ""
    return f"`{name}`{default}: {told}" if told else f"`{name}`{default}"


def _is_told(default: Any) -> bool:
    """Return whether a default is worth printing: None and empty values are not."""
    return default is not None and default not in ("", [], {})


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def refreshed(text: str) -> str:
    """Return a page with the tables between the two marks brought up to date."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    page = Path(sys.argv[1])
    write_text(page, refreshed(page.read_text(encoding="utf-8")), vouch=False)
