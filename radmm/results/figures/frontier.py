"""What a budget buys: test error and loss against the total ε at one δ, for every algorithm and noise."""

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curves import draw_files, half_range, last_iteration, mean_of_runs, of_metric
from radmm.results.figures.style import TEXT_WIDTH, Look, log_scale, looks_of

BUDGET = "epsilon_renyi_delta_1e-05"


def draw(table: pd.DataFrame) -> Figure:
    """One curve for each label, over the budget that its settings spend."""
    ends = arrange(last_iteration(table))
    looks = looks_of(list(ends["label"].unique()))
    figure, (errors, losses) = plt.subplots(2, 1, figsize=(TEXT_WIDTH, 6.4), sharex=True, layout="constrained")
    _draw_panel(errors, of_metric(ends, "error_rate"), looks)
    errors.set_title("(a) Test error", loc="left")
    errors.set_ylabel("error rate")
    _draw_panel(losses, of_metric(ends, "loss"), looks)
    losses.set_title("(b) Average training loss", loc="left")
    log_scale(losses, "L(T), log scale")
    losses.set_xlabel("total ε at δ = 1e-5, Rényi accountant")
    handles, labels = errors.get_legend_handles_labels()
    title = (
        f"Points: {mean_of_runs(table)}. Bars: centred on the mean, as long as the runs' range.\n"
        "Idealised: exact argmins. Noise is exponential-norm in the objective unless named otherwise."
    )
    figure.legend(handles, labels, loc="outside upper center", ncols=3, title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def arrange(ends: pd.DataFrame) -> pd.DataFrame:
    """Each setting's budget beside its metrics; none without noise."""
    spent = of_metric(ends, BUDGET).set_index("setting")["mean"]
    return ends.assign(budget=ends["setting"].map(spent))


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look]) -> None:
    for label, part in points.groupby("label", sort=False):
        line = looks[str(label)].line()
        if part["budget"].isna().all():
            axes.axhline(
                part["mean"].iloc[0], label=label, linewidth=1, color=line["color"], linestyle=line["linestyle"]
            )
            continue
        curve = part.sort_values("budget")
        axes.errorbar(curve["budget"], curve["mean"], half_range(curve), label=label, capsize=2, elinewidth=0.8, **line)
    axes.set_xscale("log")


if __name__ == "__main__":
    draw_files(draw, __doc__)
