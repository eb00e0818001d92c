"""Why recycle once? R-ADMM with several even steps after each odd one: `python -m benchmarks.recycle_more`.

Each even step reuses the gradient of the last argmin, as the gradient anywhere else isn't known without data.
"""

from dataclasses import dataclass, replace

from benchmarks.cases import adult_problem, load_adult
from radmm.algorithms.admm import OnePenalty
from radmm.algorithms.recycled import Recycled, RecycledState
from radmm.argmin.optimum import centralised_optimum
from radmm.base.arrays import Array, combine
from radmm.data.topologies.random import ErdosRenyi
from radmm.data.topology import draw_edges
from radmm.driver import solve
from radmm.model.network import Network

DATA_STEPS = 50


@dataclass(frozen=True, kw_only=True)
class SeveralState(RecycledState):
    """State of R-ADMM with the last argmin, and gradient plus noise plus 2λ there."""

    argmin: Array
    slope: Array


@dataclass(frozen=True)
class RecyclesSeveralTimes(OnePenalty[SeveralState], Recycled):
    """R-ADMM with several linearised steps after each argmin, whose duals and gradient stay.

    Args:
        times: Number m of even steps; 1 is R-ADMM, 0 ADMM.
        moving: Whether each even step is held near the step before it, and not near the argmin.
    """

    times: int = 1
    moving: bool = False

    def first(self, primal, network):
        state = super().first(primal, network)
        return SeveralState(**vars(state), argmin=primal, slope=primal)

    def step(self, state, network, oracle):
        now = state.iteration + 1
        if state.iteration % (self.times + 1) == 0:
            primal, total, dual = self._data_step(state, network, oracle)
            slope = self.penalty * (state.total - total)  # by the argmin's optimality condition
            k = state.data_steps + 1
            return replace(
                state, iteration=now, primal=primal, total=total, dual=dual, argmin=primal, slope=slope, data_steps=k
            )
        weight = 2.0 * self.penalty * network.degrees
        centre = state.primal if self.moving else state.argmin
        primal = combine(
            (self.gamma / (weight + self.gamma), centre), (self.penalty / (weight + self.gamma), state.total),
            (-1.0 / (weight + self.gamma), state.slope),
        )  # fmt: skip
        return replace(state, iteration=now, primal=primal, total=network.neighbour_sum(primal))


def distance_after(problem, network, optimum, algorithm, data_steps=DATA_STEPS):
    """Return the largest distance of a node from the optimum after some argmins, over three runs without noise."""
    iterations = data_steps * (algorithm.times + 1)
    result = solve(problem, network, algorithm, iterations=iterations, runs=3, optimum=optimum)
    return result.trace.query(f"iteration == {iterations}")["distance"].fillna(float("inf")).max()


def main():
    problem, _ = adult_problem(load_adult(), nodes=5, rows=8000, C=350.0)  # C/B as in the paper
    network = Network(draw_edges(ErdosRenyi(nodes=5, probability=0.5, seed=0)))
    optimum = centralised_optimum(problem)
    print(f"distance to the optimum after {DATA_STEPS} argmins")
    print("centre   γ      m = 0        1        2        3       20")
    for moving in (False, True):
        for gamma in (0.5, 5.0):
            found = [
                distance_after(problem, network, optimum, RecyclesSeveralTimes(1.0, gamma, times=m, moving=moving))
                for m in (0, 1, 2, 3, 20)
            ]
            print(f"{'moving' if moving else 'fixed':8} {gamma:<4}" + "".join(f"{value:9.3g}" for value in found))


if __name__ == "__main__":
    main()
