"""Draw the chart of docs/performance.md: milliseconds of one argmin by every solver, one panel for each data set."""

import matplotlib.pyplot as plt

from benchmarks.own_solvers import KERNEL
from benchmarks.peers import NORM, REMARKS

OURS, THEIRS = "tab:red", "0.35"
DENSE = "Covertype"  # what its data sets' names begin with


def draw(peers, target):
    """Draw one panel for each data set: sparse ones above, dense ones below, each with a logarithmic axis.

    Args:
        peers: What `peers.peers` found.
        target: The PNG.
    """
    size = len(peers)
    figure, axes = plt.subplots(
        (size + 1) // 2, min(size, 2), figsize=(9.6, 3.1 * ((size + 1) // 2) + 0.5), layout="constrained", squeeze=False
    )
    for panel, (case, rows) in zip(axes.flat, peers.items(), strict=True):
        draw_panel(panel, case, rows)
    figure.supxlabel(
        "CPU milliseconds for one argmin of one node, log scale (×: times the kernel with ten runs at once)", fontsize=9
    )
    handles = [
        plt.Line2D([], [], marker="o", ls="", color=color, fillstyle=fill, label=label)
        for color, fill, label in (
            (OURS, "full", "radmm"),
            (THEIRS, "full", "peer, the same subproblem"),
            (THEIRS, "none", "peer, the subproblem without its linear term"),
        )
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    figure.savefig(target, dpi=150, metadata={"Software": None})
    plt.close(figure)


def times(ratio):
    return f"{ratio:.0f}" if ratio >= 10.0 else f"{ratio:.1f}"


def draw_panel(panel, case, rows):
    """Draw a dot for each solver, the fastest on top, with its milliseconds and its ratio to the kernel's."""
    measured = {name: row for name, row in rows.items() if "milliseconds" in row}
    order = sorted(measured, key=lambda name: measured[name]["milliseconds"], reverse=True)
    least = measured[KERNEL]["milliseconds"]
    for place, name in enumerate(order):
        row = measured[name]
        color = OURS if name.startswith("radmm") else THEIRS
        other = "can't have a linear term" in REMARKS.get(name, "")
        panel.plot([least, row["milliseconds"]], [place, place], color="0.9", lw=1, zorder=1)
        panel.plot(
            row["milliseconds"], place, marker="o", ls="", color=color, fillstyle="none" if other else "full", zorder=2
        )
        ratio = row["times the kernel's"]
        said = f"{row['milliseconds']:.3g} ms" + ("" if name == KERNEL else f", {times(ratio)}×")
        said += "" if row["gradient norm"] <= NORM else f", norm {row['gradient norm']:.1e}"
        panel.annotate(
            said, (row["milliseconds"], place), xytext=(6, 0), textcoords="offset points", va="center", fontsize=7
        )
    panel.set_yticks(range(len(order)), order, fontsize=8)
    panel.set_xscale("log")
    panel.set_xlim(least / 1.6, max(row["milliseconds"] for row in measured.values()) * 16)
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.set_title(f"{case} ({'dense' if case.startswith(DENSE) else 'sparse'} rows)", fontsize=9)
    panel.spines[["top", "right"]].set_visible(False)
