"""Drawing of a network with its degrees and the nodes that determine a privacy bound."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from radmm.base.arrays import Array
from radmm.model.network import Network
from radmm.results.figures.files import save
from radmm.results.figures.palette import BLUE, RED
from radmm.results.figures.style import COLUMN_WIDTH, legend_above, subplots, use_style

MOST_DRAWN = 300  # nodes; of more, nobody would see an edge
MOST_NUMBERED, MOST_BALANCED = (
    40,
    60,
)  # nodes with their numbers inside, and nodes whose distances are balanced by pairs
MARK, BARS = RED, BLUE
SETS_BOUND = "sets the privacy bound"
RING = Line2D([], [], color=MARK, marker="o", markerfacecolor="none", markersize=9, markeredgewidth=1.6, linestyle="")
DASHED = Line2D([], [], color=MARK, linestyle=(0, (4, 2)), linewidth=1.2)


def draw(network: Network, marked: Collection[int], name: str) -> Figure:
    """Draw the network, or the numbers of nodes by degree if it is large.

    Args:
        marked: Nodes that determine the privacy bound of a setting.
        name: Name of the network, for the title.
    """
    large = network.nodes > MOST_DRAWN
    figure, ((axes,),) = subplots(1, 1, COLUMN_WIDTH, 2.6 if large else COLUMN_WIDTH)
    (_draw_degrees if large else _draw_nodes)(axes, network, list(marked))
    least, most = int(network.degrees.min()), int(network.degrees.max())
    degrees = f"degree {least}" if least == most else f"degrees {least} to {most}"
    size = f"{network.nodes} nodes, {network.adjacency.nnz // 2} edges, {degrees}"
    axes.set_title(f"{name}\n{size}", fontsize="small", loc="left")
    if marked:
        legend_above(figure, {SETS_BOUND: DASHED if large else RING}, "", 1)
    sns.despine(figure)
    return figure


def _draw_nodes(axes: Axes, network: Network, marked: Sequence[int]) -> None:
    places = _places(network)
    links = network.adjacency.tocoo()
    upper = links.row < links.col
    lines = np.stack([places[links.row[upper]], places[links.col[upper]]], axis=1)
    axes.add_collection(LineCollection(list(lines), colors="0.75", linewidths=0.6, zorder=1))
    size = float(np.clip(4000 / network.nodes, 12, 220))
    colors: dict[str, Any] = {"c": network.degrees, "cmap": "Blues", "vmin": 0, "vmax": 2.0 * network.degrees.max()}
    axes.scatter(places[:, 0], places[:, 1], s=size, edgecolors="0.3", linewidths=0.5, zorder=2, **colors)
    ring: dict[str, Any] = {"facecolors": "none", "edgecolors": MARK, "linewidths": 1.6}
    axes.scatter(places[marked, 0], places[marked, 1], s=2.2 * size, zorder=3, **ring)
    for node in range(network.nodes if network.nodes <= MOST_NUMBERED else 0):
        axes.annotate(str(node), places[node], ha="center", va="center", fontsize="x-small", zorder=4)
    axes.set_aspect("equal")
    axes.margins(0.1)
    axes.set_axis_off()


def _places(network: Network) -> Array:
    graph = nx.from_scipy_sparse_array(network.adjacency)
    balanced = network.nodes <= MOST_BALANCED
    found = nx.kamada_kawai_layout(graph) if balanced else nx.spring_layout(graph, seed=0, iterations=200)
    return np.array([found[node] for node in range(network.nodes)])


def _draw_degrees(axes: Axes, network: Network, marked: Sequence[int]) -> None:
    degrees, counts = np.unique(network.degrees.astype(np.int64), return_counts=True)
    axes.bar(degrees, counts, 0.8, color=BARS)
    for degree in np.unique(network.degrees[list(marked)]):
        axes.axvline(degree, color=MARK, linestyle=(0, (4, 2)), linewidth=1.2)
    axes.set(xlabel="degree", ylabel="nodes")


def draw_file(network: Network, marked: Collection[int], name: str, png: Path) -> None:
    """Draw the network into a PNG and, beside it, a PDF.

    Args:
        marked: Nodes that determine the privacy bound of a setting.
    """
    use_style()
    save(draw(network, marked, name), png.with_suffix(".pdf"), png, {"networks": [name]})
