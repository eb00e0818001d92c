"""Markdown tables of the components by kind with their parameters, made from the registries for config/README.md."""

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
from radmm.model.losses.loss import LOSSES
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.noise import NOISES
from radmm.study.config import figure_kinds
from radmm.study.field_types import Section
from radmm.study.setting_model import component_section

BEGIN, END = "<!-- components: written by `make schema` -->", "<!-- end of components -->"
KINDS: dict[str, tuple[Mapping[str, Any], str]] = {
    "`data`": (SOURCES, "name"),
    "`network`, by `law`": (TOPOLOGIES, "law"),
    "`partition`, by `law`": (PARTITIONS, "law"),
    "`problem.loss`": (LOSSES, "name"),
    "`algorithm`, by `name`": (ALGORITHMS, "name"),
    "`noise`, by `kind`": (NOISES, "kind"),
    "`noise.accountant`": (ACCOUNTANTS, "name"),
}


def reference() -> str:
    """Return one table for each kind; kinds of figures come last."""
    tables = [_table(heading, registry, tag) for heading, (registry, tag) in KINDS.items()]
    return "\n\n".join([*tables, _table("`figure`", figure_kinds(), "name")])


def _table(heading: str, registry: Mapping[str, Any], tag: str) -> str:
    lines = [f"**{heading}**", "", "| name | what it is | parameters |", "|---|---|---|"]
    for name, component in registry.items():
        fields = component_section(component, tag, Section).model_fields
        parameters = "; ".join(_field(field, about) for field, about in fields.items() if field != tag)
        lines.append(f"| `{name}` | {_cell(summary(component))} | {_cell(parameters)} |")
    return "\n".join(lines)


def _field(name: str, field: Any) -> str:
    told = (field.description or "").rstrip(".")
    default = "" if field.is_required() or field.default is None else f" ({field.default} if not given)"
    return f"`{name}`{default}: {told}" if told else f"`{name}`{default}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def refreshed(text: str) -> str:
    """Return a page with the tables between the two marks brought up to date.

    Args:
        text: Text of the page.
    """
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    page = Path(sys.argv[1])
    write_text(page, refreshed(page.read_text(encoding="utf-8")), vouch=False)
