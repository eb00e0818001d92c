"""Display names of columns, metrics and parameters; every ε comes with its δ and neighbouring relation."""

from typing import Any, NamedTuple

from radmm.metrics.metric import all_metrics
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.epsilon_terms import BOUND, terms_by_metric
from radmm.results.tables import DELTA


class DisplayName(NamedTuple):
    """Display name of a metric.

    Args:
        short: Name in the head of a column and on an axis.
        long: Description in half a sentence.
        terms: Terms of a total: accountant, δ and relation.
    """

    short: str
    long: str
    terms: str = ""


BUDGET = f"epsilon_shift_delta_{DELTA:g}"  # the total ε that readers are shown first
TARGET = 1.0  # the total ε that the overview's sentences are about
ALONG = {  # what the horizontal axis can show along a run, besides the iteration
    "data_steps": "iterations that use the data, k",
    "privacy_loss": "paper's bound P(t)",
    "passes_so_far": "passes over the data so far",
    "messages": "messages sent so far",
    "floats_sent": "numbers sent so far",
}
SHOWN_FIRST = ("loss", "error_rate", "loss_average", "error_rate_average", "privacy_loss", "consensus", "distance")
PARAMETERS = {
    "algorithm.gamma": "γ",
    "algorithm.penalty": "η",
    "algorithm.penalty.scale": "η, scale",
    "algorithm.penalty.ratio": "η, ratio q",
    "algorithm.dual_step": "θ",
    "noise.alpha": "α",
    "noise.sigma": "σ",
    "noise.total_epsilon": "asked total ε",
    "noise.total_bound": "asked total bound",
    "network.nodes": "N",
    "problem.C": "C",
    "problem.rho": "ρ",
    "iterations": "T",
}


def metric_names() -> dict[str, DisplayName]:
    """Return the metrics that traces have, by name, in the order in which the report shows them."""
    names = {name: DisplayName(metric.label, metric.meaning) for name, metric in all_metrics().items()}
    return {name: names[name] for name in (*SHOWN_FIRST, *(other for other in names if other not in SHOWN_FIRST))}


def total_names() -> dict[str, DisplayName]:
    """Return the totals that tables have, by metric, the default accountant's first."""
    names = {}
    for metric, each in terms_by_metric().items():
        relation = "" if each.relation == REPLACE_ONE else f", {each.relation}"
        names[metric] = DisplayName(f"ε, {each.accountant}{relation}", f"total ε of the whole run ({each})", str(each))
    del names[BOUND]  # which is measured at every iteration
    return dict(sorted(names.items(), key=lambda item: not item[0].startswith("epsilon_shift_delta")))


def parameter_name(path: str) -> str:
    """Return the paper's symbol of a parameter, if it has one, else its name.

    Args:
        path: Dotted name, like `algorithm.gamma`.
    """
    return f"{PARAMETERS[path]} ({path})" if path in PARAMETERS else path


def value_text(value: Any) -> str:
    """Format a value for a caption or a cell.

    Args:
        value: A number, a text, one number for each node, or a section.
    """
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {value_text(item)}" for key, item in value.items())
    return str(value)
