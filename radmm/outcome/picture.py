"""A quick picture of a trace: metrics against iterations, as mean and range over the runs."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from radmm.base.errors import InputError
from radmm.metrics.metric import all_metrics

SHOWN = ("loss", "error_rate", "privacy_loss")


def draw(trace: pd.DataFrame, metrics: Sequence[str], title: str) -> Figure:
    """Draw one panel for each metric.

    Args:
        trace: One row for each run and iteration.
        metrics: Metrics to draw; if none is given loss, test error and the paper's bound, as far as recorded.
        title: Title above all panels.
    """
    every = all_metrics()
    there = [name for name in every if name in trace and trace[name].notna().any()]
    for name in metrics:
        if name not in there:
            raise InputError(f"metric = {name!r}: must be one of {', '.join(there)}, which this trace has")
    chosen = list(metrics) or [name for name in SHOWN if name in there]
    grid = sns.relplot(
        trace.melt(["run", "iteration"], chosen, var_name="metric").dropna(),
        x="iteration",
        y="value",
        col="metric",
        kind="line",
        errorbar=("pi", 100),  # all of the runs
        height=3.0,
        aspect=1.2,
        facet_kws={"sharey": False},
    )
    grid.set_titles("")
    for name, axes in grid.axes_dict.items():
        axes.set_ylabel(every[name].axis_label)
        axes.grid(visible=True, alpha=0.3)
    band = "; line: mean of the runs, band: their range" if trace["run"].nunique() > 1 else ""
    drawn: Figure = grid.figure
    drawn.suptitle(title + band, fontsize="medium")
    drawn.set_layout_engine("constrained")
    plt.close(drawn)  # pyplot would keep it, and a notebook show it twice
    return drawn
