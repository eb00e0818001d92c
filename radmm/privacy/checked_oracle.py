"""The oracle that a run's steps are given: it holds every question against the notes that the ledger was made of."""

from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.privacy.notes import ArgminCall, Call, GradientCall, Notes
from radmm.privacy.releases import DataOracle


class CheckedOracle(Oracle):
    """Passes a question on to the data if it is the next one in the notes, and refuses it otherwise.

    An ε is computed from the notes, before anything is answered. If a question could depend on answers, the run would
    release something else than that ε was computed for. Nothing but the two questions is offered to an algorithm: what
    the data oracle knows beyond its answers is not perturbed.

    Args:
        answering: The oracle that has data.
        algorithm: Whose questions they are; refusals name it.
        shape: (nodes, entries of f): the shape of every question but for the runs.
        notes: What the ledger was made of; None for a run without noise, which has no ledger and may ask anything.
    """

    def __init__(
        self, answering: DataOracle, algorithm: Algorithm[Any], shape: tuple[int, int], notes: Notes | None
    ) -> None:
        self.__answering, self._algorithm, self._shape, self._notes = answering, algorithm, shape, notes
        self._asked = 0
        self.iteration = 0  # t of the step that asks

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Each node's argmin of O + linear·f + ½ w_i‖f‖², as the data oracle releases it.

        Args:
            linear: The linear term.
            weight: w_i, one a node; they must be those in the notes.
            start: Where the first search begins.
        """
        self._check_shapes(linear=linear, start=start)
        self._check_next(ArgminCall, np.asarray(weight, dtype=np.float64))
        return self.__answering.argmin(linear, weight, start)

    def gradient(self, point: Array) -> Array:
        """Each node's gradient of O, as the data oracle releases it.

        Args:
            point: Where, a point of each node's own.
        """
        self._check_shapes(point=point)
        self._check_next(GradientCall, np.zeros(self._shape[0]))
        return self.__answering.gradient(point)

    def check_all_asked(self) -> None:
        """Refuse, at the end of a run, an algorithm that has asked less than its ledger says."""
        if self._notes is not None and self._asked < len(self._notes.calls):
            self._refuse("asks for nothing more")

    def _check_shapes(self, **given: Array) -> None:
        """Several answers to one question would share their noise, and differences of them would have none."""
        shape = (*self._shape, len(self.__answering.runs))
        for field, value in given.items():
            if np.shape(value) != shape:
                raise InputError(
                    f"algorithm = {self._algorithm.name}: {field} has shape {np.shape(value)}: must be {shape}, "
                    "(node, entry of f, run)"
                )

    def _check_next(self, kind: type[Call], weight: Array) -> None:
        if self._notes is None:
            return
        noted = self._notes.calls[self._asked] if self._asked < len(self._notes.calls) else None
        if noted is None or (type(noted), noted.iteration) != (kind, self.iteration):
            self._refuse(f"asks for {kind.asks_for} at iteration {self.iteration}")
        elif weight.shape != noted.weight.shape or not np.array_equal(weight, noted.weight):
            self._refuse(f"asks for {kind.asks_for} with the weights {_listed(weight)} at iteration {self.iteration}")
        self._asked += 1

    def _refuse(self, asks: str) -> None:
        expected = "nothing more"
        if self._notes is not None and self._asked < len(self._notes.calls):
            noted = self._notes.calls[self._asked]
            weights = f" with the weights {_listed(noted.weight)}" if "weights" in asks else ""
            expected = f"{noted.asks_for}{weights} at iteration {noted.iteration}"
        raise InputError(
            f"algorithm = {self._algorithm.name}: must ask for the same whatever is answered, or its ε would not hold: "
            f"it {asks}, where its ledger has {expected}"
        )


def _listed(weight: Array) -> str:
    values = weight.ravel().tolist()
    return ", ".join(f"{value:.17g}" for value in values[:4]) + (", …" if len(values) > 4 else "")
