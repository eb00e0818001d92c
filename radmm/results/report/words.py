"""What columns and metrics are called; every ε comes with its δ and the relation that it is for."""

from typing import Any, NamedTuple

from radmm.privacy.relation import REPLACE_ONE
from radmm.results.tables import DELTA, told


class Name(NamedTuple):
    """Of a metric.

    Args:
        short: For the head of a column and an axis.
        long: A sentence's worth.
        terms: Of a total, what it is good for: accountant, δ and relation.
    """

    short: str
    long: str
    terms: str = ""


MEASURED = {
    "loss": Name("training loss", "average of the nodes' training losses at their own iterates"),
    "error_rate": Name("test error", "average over the nodes of the share of test rows that are classified wrongly"),
    "loss_average": Name(
        "training loss, averaged iterates", "the same of each node's average of its released iterates"
    ),
    "error_rate_average": Name("test error, averaged iterates", "the same of each node's average of its iterates"),
    "privacy_loss": Name("paper's bound P(t)", f"total ε of the iterations so far, δ = 0, {REPLACE_ONE}"),
    "consensus": Name("distance between nodes", "how far the nodes' iterates are from each other"),
    "distance": Name("distance to the optimum", "how far the nodes' iterates are from the centralised optimum"),
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
    """The totals that tables have, by metric, the default accountant's first."""
    names = {}
    for metric, accountant in told().items():
        delta, relation = 0.0 if accountant.pure else DELTA, accountant.relation
        terms = f"{accountant.name} accountant, δ = {delta:g}, {relation}"
        short = f"ε, {accountant.name}" + ("" if relation == REPLACE_ONE else f", {relation}")
        names[metric] = Name(short, f"total ε of the whole run ({terms})", terms)
        if accountant.quick():  # what tables have instead where the accountant would take too long
            name, cap = accountant.name, f"{accountant.name}-cap"
            short, terms = (
                short.replace(name, cap, 1),
                terms.replace(f"{name} accountant", f"{name} accountant's cap", 1),
            )
            names[metric.replace(name, cap, 1)] = Name(short, f"total ε of the whole run ({terms})", terms)
    return dict(sorted(names.items(), key=lambda item: not item[0].startswith("epsilon_shift_delta")))


def parameter_name(path: str) -> str:
    """The paper's symbol, if it has one.

    Args:
        path: Dotted, like `algorithm.gamma`.
    """
    return f"{PARAMETERS[path]} ({path})" if path in PARAMETERS else path


def value_text(value: Any) -> str:
    """A value in a caption or a cell.

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
