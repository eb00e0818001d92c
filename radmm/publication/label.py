"""The privacy label: what a release promises to whom, why, under which assumptions, and what it doesn't protect.

Its sections have the names of NIST SP 800-226, "Guidelines for Evaluating Differential Privacy Guarantees" (2025).
Every entry follows from public parameters: none is computed from rows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.base.json_object import JsonObject
from radmm.model.public_facts import PublicFacts
from radmm.privacy.relation import Neighbours
from radmm.publication.discrete_noise import versions
from radmm.publication.gradient_grid import GradientGrid
from radmm.publication.plan import Plan
from radmm.study.component_json import to_json

UNDECLARED = (
    "No scale, category, choice of rows or number of rows was taken from the data when the features were made; radmm "
    "was given features and can't tell.",
)
DECLARED = (
    "Bounds, categories, classes and the number of rows were declared without looking at the rows; radmm took nothing "
    "from them, and each line of the file became features by itself.",
)
ADVERSARY = (
    "Anyone, with any knowledge of all other rows and any computing power, who sees the classifier and this label, and "
    "even every value that the nodes exchanged."
)
TRUST_MODEL = (
    "Central model: the machine that made the release held all rows and is trusted; nothing is assumed of those who "
    "read the release."
)
GRADIENTS = (
    "Each row contributes a vector of whole numbers whose norm is at most the radius of the grid, whatever the row is; "
    "sums of whole numbers are exact, so the sensitivity holds for the numbers as the machine has them."
)
ARGMINS = (
    "Replacing a row moves each argmin by a distance that strong convexity bounds; each is certified, by a bound on "
    "all rounding, to be within a stated distance of the exact one, and rounded to a grid. The sensitivity counts all "
    "three."
)
PROOF = (
    "Each answer has independent discrete Gaussian noise added, which is Δ²/2σ²-zero-concentrated differentially "
    "private for sensitivity Δ (Canonne, Kamath and Steinke, 2020).",
    "Answers compose by adding ρ, also where a query depends on earlier answers (Bun and Steinke, 2016); the node with "
    "the largest sum counts, as a person's rows cost most if all are there.",
    "ρ converts to (ε, δ) by Proposition 12 of Canonne, Kamath and Steinke (2020), computed in decimal numbers that "
    "are rounded up.",
    "The classifier is computed from the answers and public values alone, which costs nothing.",
)
ASSUMPTIONS = (
    "OpenDP draws the discrete Gaussian law exactly, from a generator of the operating system that can't be predicted.",
    "NumPy's arithmetic and SciPy's sums are those of IEEE 754, and NumPy's exponential is off by 4 units in the last "
    "place at most; this matters for argmins alone.",
    "What one row contributes doesn't depend on other rows: radmm computes it by operations on that row alone.",
    "The algorithm's code reads rows by no other way than the answers it is given.",
    "One person has at most as many rows as the unit of privacy says, at whichever nodes.",
    "All parameters in this label were chosen without looking at the rows.",
)
NOT_PROTECTED = (
    "How long the run took, and what else other programs on that machine could measure of it.",
    "The machine itself: its memory, swap space, files and logs.",
    "The choice of parameters, if it was made by looking at the rows, as after trial runs on them.",
    "The decision to publish this release and not another.",
    "Other releases from the same rows: their privacy losses add up (`radmm total`).",
    "What is true of the population, which the classifier is meant to learn: it may tell of a person all the same.",
    "The number of rows of each node, and the declared bounds, categories and classes: these are public.",
)


def make_label(
    plan: Plan,
    facts: PublicFacts,
    algorithm: Algorithm[Any],
    iterations: int,
    delta: float,
    preparation: Sequence[str],
    recipe: JsonObject | None = None,
) -> JsonObject:
    """Return the label of a planned run, as JSON can hold it.

    Args:
        plan: Grid, sensitivity and noise of every answer.
        preparation: Assumptions on how the features were made.
        recipe: Further public parameters of the run, such as the declared bounds.
    """
    rho, node = plan.worst
    epsilon = plan.epsilon(delta)
    return {
        "privacy_loss": {
            "definition": "(ε, δ)-differential privacy, by way of ρ-zero-concentrated differential privacy",
            "epsilon": epsilon,
            "delta": delta,
            "rho": str(rho),
            "node": node,
        },
        "unit_of_privacy": {
            "neighbours": plan.relation.neighbours.value,
            "rows_of_a_person": plan.relation.rows,
            "text": f"{plan.relation}: {_meaning(plan.relation.neighbours)}",
        },
        "adversary": ADVERSARY,
        "trust_model": TRUST_MODEL,
        "algorithm": {
            "name": "discrete Gaussian noise on an integer grid",
            "proof": [GRADIENTS if isinstance(plan.grid, GradientGrid) else ARGMINS, *PROOF],
            "grid": _grid(plan),
            "answers": _answers(plan),
        },
        "assumptions": [*ASSUMPTIONS, *preparation],
        "not_protected": list(NOT_PROTECTED),
        "recipe": {
            "algorithm": to_json(algorithm),
            "iterations": iterations,
            "initial_point": "zero",
            "C": facts.C,
            "rho": facts.rho,
            "row_counts": facts.row_counts.tolist(),
            **(recipe or {}),
        },
        "software": versions(),
    }


def _meaning(neighbours: Neighbours) -> str:
    if neighbours == Neighbours.REPLACE:
        return "the release is about as likely if a person's rows are replaced by any others"
    return "the release is about as likely if a person's rows are replaced by rows of zeros"


def _grid(plan: Plan) -> JsonObject:
    if isinstance(plan.grid, GradientGrid):
        return {"radius": plan.grid.radius, "step": plan.grid.step}
    return {"largest_step": float(plan.unit.max()), "certified_gradient": float(plan.grid.tolerance.max())}


def _answers(plan: Plan) -> list[JsonObject]:
    """Return how often nodes answer with which sensitivity Δ and noise σ, in whole steps of the grid."""
    found: dict[bytes, JsonObject] = {}
    for node in range(plan.scale.shape[1]):
        pairs = np.stack([plan.sensitivity[:, node], plan.scale[:, node]], axis=1)
        kinds, counts = np.unique(pairs, axis=0, return_counts=True)
        answers = [
            {"count": count, "sensitivity": sensitivity, "sigma": scale}
            for (sensitivity, scale), count in zip(kinds.tolist(), counts.tolist(), strict=True)
        ]
        found.setdefault(pairs.tobytes(), {"nodes": [], "answers": answers})["nodes"].append(node)
    return list(found.values())
