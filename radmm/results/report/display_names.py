"""Display names of columns, metrics and parameters; every ε comes with its δ and neighbouring relation."""

from typing import Any, NamedTuple

from radmm.privacy.relation import REPLACE_ONE
from radmm.results.epsilon_terms import BOUND, terms


class Name(NamedTuple):
    """Name of a metric.

    Args:
        short: Name in the head of a column and on an axis.
        long: Description in half a sentence.
        terms: Terms of a total: accountant, δ and relation.
    """

    short: str
    long: str
    terms: str = ""


MEASURED = {
    "loss": Name("training loss", "average of the nodes' training losses at their own iterates"),
    "error_rate": Name("test error", "share of test rows that the average of the nodes' classifiers gets wrong"),
    "loss_average": Name(
        "training loss, averaged iterates", "training loss of each node's running average of its released iterates"
    ),
    "error_rate_average": Name(
        "test error, averaged iterates", "test error of the average of the nodes' running averages of their iterates"
    ),
    "privacy_loss": Name("paper's bound P(t)", f"total ε of the iterations so far, δ = 0, {REPLACE_ONE}"),
    "consensus": Name("distance between nodes", "largest distance of a node's iterate from the average of all"),
    "distance": Name("distance to the optimum", "largest distance of a node's iterate from the centralised optimum"),
    "residual": Name("argmin's residual", "norm of the gradient where the solver stopped"),
    "passes": Name("passes over the data", "of one node, on average, in this iteration"),
}
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


def budgets() -> dict[str, Name]:
    """Return the totals that tables have, by metric, the default accountant's first."""
    names = {}
    for metric, each in terms().items():
        relation = "" if each.relation == REPLACE_ONE else f", {each.relation}"
        names[metric] = Name(f"ε, {each.accountant}{relation}", f"total ε of the whole run ({each})", str(each))
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
