"""A summary of an experiment: its settings after their last iteration, each with the total ε of one run."""

from collections.abc import Mapping, Sequence

import pandas as pd

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.registry import one_of
from radmm.privacy.guarantee import rounded_up
from radmm.results.epsilon_terms import terms_by_metric
from radmm.results.figures.captions import EXACT, SHIFT, spent
from radmm.results.figures.curves import last_iteration
from radmm.results.figures.figure import Material
from radmm.results.figures.setting_parameters import is_private
from radmm.results.report.display_names import PARAMETERS, metric_names, value_text

DEFAULT_METRICS = ("loss", "error_rate")
SHOWN = "After the last iteration, the mean over the runs, with minimum and maximum in brackets."
NO_NOISE, NO_BOUND = "no noise", "no bound"
LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "–": "--"}
    | {"≤": r"$\le$", "≥": r"$\ge$", "∞": r"$\infty$", "’": "'", "‖": r"$\|$"}
    | {"α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ε": r"$\varepsilon$", "η": r"$\eta$"}
    | {"θ": r"$\theta$", "λ": r"$\lambda$", "ρ": r"$\rho$", "σ": r"$\sigma$", "τ": r"$\tau$"}
)


class Summary:
    """Rows and sentences about an experiment.

    Args:
        table: Table of the experiment.
        stored: Metadata of the table.
        metrics: Metrics to show, of those that no ε is; the defaults if empty.
    """

    def __init__(self, table: pd.DataFrame, stored: Mapping[str, JsonObject], metrics: Sequence[str] = ()) -> None:
        self.name = str(stored["experiment"])
        material = Material(table, stored["parameters"], stored["data_steps"])
        told = spent(material)
        self.sentences = [SHOWN, *told, *stored["caveats"], *([EXACT] if told else [])]
        last = last_iteration(table)
        self.rows = _rows(last, material, metrics or [each for each in DEFAULT_METRICS if each in set(last["metric"])])

    def __str__(self) -> str:
        return "\n".join([self.rows.to_string(index=False), "", *self.sentences])

    def to_latex(self) -> str:
        """Return a LaTeX table that needs the package booktabs, with the sentences as its caption."""
        escaped = self.rows.map(lambda cell: cell.translate(LATEX)).rename(columns=lambda name: name.translate(LATEX))
        caption = " ".join(self.sentences).translate(LATEX)
        return escaped.to_latex(index=False, caption=caption, label=f"tab:{self.name}")


def _rows(last: pd.DataFrame, material: Material, metrics: Sequence[str]) -> pd.DataFrame:
    """Return a row of texts for each setting: label, place on the grid, metrics, and total ε."""
    names = {name: each.short for name, each in metric_names().items() if name not in terms_by_metric()}
    for metric in metrics:
        there = sorted(set(last["metric"]) & set(names))
        if metric not in there:
            raise InputError(f"metric = {metric}: {one_of(metric, there)}")
    named = list(last.columns[: last.columns.get_loc("iteration")])  # label, setting, and the axes of the grid
    settings = last.drop_duplicates(named[:2])[named].reset_index(drop=True)
    rows = pd.DataFrame({"setting": settings["label"]})
    for axis in named[2:]:
        rows[PARAMETERS.get(axis, axis)] = ["" if pd.isna(value) else value_text(value) for value in settings[axis]]
    for metric in metrics:
        shown = last[last["metric"] == metric].drop_duplicates("setting").set_index("setting")
        rows[names[metric]] = settings["setting"].map(shown.apply(_cell, axis="columns")).fillna("")
    totals = last[last["metric"].isin(SHIFT)].drop_duplicates("setting").set_index("setting")["mean"].map(rounded_up)
    without = {name: NO_BOUND if is_private(each) else NO_NOISE for name, each in material.parameters.items()}
    return rows.assign(**{"total ε": settings["setting"].map(without | totals.to_dict())})


def _cell(found: "pd.Series[float]") -> str:
    """Return a mean over runs, with its range if runs differ."""
    return f"{found['mean']:.4g}" + (f" ({found['min']:.4g} to {found['max']:.4g})" if found["range"] > 0 else "")
