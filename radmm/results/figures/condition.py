"""The paper's convergence theorem against what happens: its margin, and how far a run has come, over γ."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from radmm.base.store import read_metadata
from radmm.jobs.steps.command import run
from radmm.results.figures.curves import half_range, last_iteration, mean_of_runs, of_metric, provenance_of
from radmm.results.figures.style import TEXT_WIDTH, log_scale, save, use_style
from radmm.results.theory import describe

GAMMA = "algorithm.gamma"


def draw(table: pd.DataFrame, theory: dict[str, dict[str, Any]]) -> Figure:
    """The theorem applies where the margin is positive; the run converges where the distance falls."""
    ends = of_metric(last_iteration(table), "distance").sort_values(GAMMA)
    start = of_metric(table, "distance").query("iteration == 0")["mean"].mean()
    margins = np.array([theory[setting]["theory.margin"] for setting in ends["setting"]])
    enough = theory[ends["setting"].iloc[0]]["theory.sufficient_gamma"]
    figure, (above, below) = plt.subplots(2, 1, figsize=(TEXT_WIDTH, 4.6), sharex=True, layout="constrained")
    above.plot(ends[GAMMA], margins, color="black", marker="o", markerfacecolor="none")
    above.axhline(0.0, color="0.5", linewidth=0.8)
    above.set_yscale("symlog", linthresh=1.0)
    above.margins(y=0.1)
    above.set_ylabel("margin, symlog scale")
    above.set_title("(a) Margin of the sufficient condition at the best L and μ: it applies above 0", loc="left")
    below.errorbar(
        ends[GAMMA], ends["mean"], half_range(ends), color="red", marker="^", markerfacecolor="none", capsize=2
    )
    below.axhline(start, color="0.5", linestyle=":", linewidth=0.8)
    below.annotate("at the start", (ends[GAMMA].min(), start), xytext=(0, 3), textcoords="offset points", fontsize=6)
    log_scale(below, r"$\max_i\,\|f_i(T) - f^*\|$, log scale")
    below.set_title(f"(b) Distance from the optimum after T = {ends['iteration'].max()} iterations", loc="left")
    below.set_xlabel("γ")
    below.set_xscale("log")
    for axes in (above, below):
        axes.axvline(
            enough, color="green", linestyle=(0, (6, 2)), linewidth=1, label=f"least sufficient γ = {enough:g}"
        )
    title = f"Points: {mean_of_runs(table)}. Bars: centred on the mean, as long as the runs' range."
    handles, labels = above.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def figure(table: Path, pdf: Path, png: Path) -> None:
    use_style()
    theory = {name: describe(setting) for name, setting in read_metadata(table)["parameters"].items()}
    save(draw(pd.read_parquet(table), theory), pdf, png, provenance_of(table))


if __name__ == "__main__":
    run(figure, __doc__, table=Path, pdf=Path, png=Path)
