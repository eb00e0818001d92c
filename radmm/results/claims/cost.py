"""Claims about the cost of an iteration, in privacy and in computation."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from radmm.base.arrays import Array, Mask
from radmm.results.claims.claim import Check
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.evidence import ALPHA, GAMMA, NODES, Evidence, Runs, name_of
from radmm.results.claims.statistics import compare, count, over
from radmm.study.grids import GridPoint

MUCH_LESS = 2 / 3  # largest ratio that we take "much less" to mean

RECYCLING = [
    ("fig1a", "R-ADMM", (NODES, GAMMA)),
    *product(("fig5", "fig5_n20"), ("R-ADMM", "MR-ADMM"), [(NODES, ALPHA)]),
]


def total_passes(runs: Runs) -> Array:
    """Return the passes over the training rows in all argmins of a run."""
    totals: Array = runs["passes"].sum(axis=1)
    return totals


def bound_grows_when_even(runs: Runs) -> Mask:
    spent = runs.even("privacy_loss")
    return spent > runs.odd("privacy_loss")[:, : spent.shape[1]]


def even_iterations_are_free(evidence: Evidence) -> Iterator[Check]:
    for figure, label, axes in RECYCLING:
        for point, runs in _settings(evidence, figure, label, axes):
            at = {"figure": figure, "algorithm": label, "setting": point}
            passes = partial(count, lambda runs: runs.even("passes") > 0)
            yield Check({**at, "cost": "passes"}, (runs,), passes, Claimed.SAME, Kind.EXACT)
            if ALPHA in axes:
                growth = partial(count, bound_grows_when_even)
                yield Check({**at, "cost": "privacy"}, (runs,), growth, Claimed.SAME, Kind.EXACT)


def costs_much_less(evidence: Evidence) -> Iterator[Check]:
    for figure, label, axes in RECYCLING:
        for point, runs in _settings(evidence, figure, label, axes) if label == "R-ADMM" else ():
            for admm in evidence.find(figure, "ADMM", runs.entry.grid_point):
                at = {"figure": figure, "setting": point}
                passes = partial(compare, over(MUCH_LESS), total_passes)
                yield Check(at, (runs, admm), passes, Claimed.LESS, Kind.RATIO, MUCH_LESS)


def _settings(evidence: Evidence, figure: str, label: str, axes: tuple[str, str]) -> Iterator[tuple[str, Runs]]:
    names = {NODES: "N", GAMMA: "γ", ALPHA: "α"}
    for values in product(*(evidence.values(figure, label, axis) for axis in axes)):
        point: GridPoint = dict(zip(axes, values, strict=True))
        for runs in evidence.find(figure, label, point):
            yield ", ".join(f"{names[axis]} = {name_of(value)}" for axis, value in point.items()), runs
