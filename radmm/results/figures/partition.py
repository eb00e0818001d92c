"""Figure of a partition: the rows of each node by class, and how the classes mix there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from radmm.base.arrays import Array, Integers
from radmm.data.holdings import Holdings
from radmm.data.partition import Partition
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.figures.files import save
from radmm.results.figures.palette import COLORS
from radmm.results.figures.style import TEXT_WIDTH, handles_of, legend_above, subplots, use_style
from radmm.study.component_json import to_json

FEW = 40  # nodes that have a bar each, with a name below; of more, the bars touch
WRITTEN = {"beta": "β"}
MANY = 4  # lines that would hide what they are to be compared with
LONGEST = 12  # characters of a name below a bar


def draw(held: Holdings, title: str) -> Figure:
    """Draw rows by class above, and their shares below, with lines at the shares among all rows."""
    figure, ((above,), (below,)) = subplots(2, 1, TEXT_WIDTH, 4.6, sharex=True, height_ratios=[1.5, 1])
    signed = "+" if min(held.classes) < 0 else ""
    labels = [f"class {label:{signed}g}".replace("-", "−") for label in held.classes]
    colors = _colors(len(labels))
    _stack(above, held.counts, labels, colors)
    _stack(below, held.counts / held.row_counts, labels, colors)
    shares = np.cumsum(held.counts.sum(axis=1) / held.counts.sum())[:-1]
    for share in shares if len(shares) < MANY else ():
        below.axhline(share, color="black", linewidth=0.8, linestyle=(0, (4, 2)), label="among all rows")
    above.set_ylabel("training rows")
    below.set(ylabel="share of the rows", ylim=(0.0, 1.0))
    _name_nodes(below, held)
    legend_above(figure, handles_of([above, below]), title, 6)
    sns.despine(figure)
    return figure


def _colors(count: int) -> list[Any]:
    return list(sns.color_palette(COLORS if count <= len(COLORS) else "viridis", count))


def _stack(axes: Axes, parts: Array | Integers, labels: Sequence[str], colors: Sequence[Any]) -> None:
    """Stack bars where there are few nodes; for thousands, stepped areas, which are as fast to draw as one."""
    nodes = parts.shape[1]
    edges, tops = np.arange(nodes + 1) - 0.5, np.cumsum(parts, axis=0)
    for part, top, label, color in zip(parts, tops, labels, colors, strict=True):
        if nodes <= FEW:
            axes.bar(np.arange(nodes), part, 0.8, top - part, color=color, label=label)
        else:
            axes.stairs(top, edges, baseline=top - part, fill=True, color=color, label=label, linewidth=0.0)
    axes.set_xlim(edges[0], edges[-1])
    axes.grid(visible=False, axis="x")


def _name_nodes(axes: Axes, held: Holdings) -> None:
    nodes = held.counts.shape[1]
    axes.set_xlabel("node")
    if nodes > FEW:
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    elif held.node_names:
        names = [name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…" for name in held.node_names]
        axes.set_xticks(np.arange(nodes), names, rotation=45 if max(map(len, names)) > 2 else 0, ha="right")
    else:
        axes.set_xticks(np.arange(nodes))


def describe(data: str, partition: Partition, held: Holdings) -> str:
    """Describe a partition in words: its law and parameters, and the resulting sizes.

    Args:
        data: Name of the data set.
        partition: Law by which nodes got its rows.
    """
    options = {key: value for key, value in to_json(partition).items() if key not in ("law", "per_node")}
    written = [f"{WRITTEN.get(key, key)} = {value}" for key, value in options.items()]
    law = ", ".join([partition.name, *written])
    rows, nodes = int(held.counts.sum()), held.counts.shape[1]
    return f"{data}, spread by {law}.\n{rows:,} training rows at {nodes:,} nodes: {held.extremes}."


def figure(held: Holdings, title: str, pdf: Path, png: Path, svg: Path, provenance: dict[str, list[str]]) -> None:
    """Draw the partition into its files.

    Args:
        provenance: Hashes of the data.
    """
    use_style()
    save(draw(held, title), pdf, png, provenance, [NOT_FOR_RELEASE], svg)
