"""The oracle: the only way from an algorithm to the data.

Whatever it answers is released. An algorithm that keeps to it can't touch the data in any other way, and what it has
asked is all that its privacy costs. Which call it makes, and with which weights, must not depend on earlier answers.
"""

from abc import ABC, abstractmethod

from radmm.base.arrays import Array


class Oracle(ABC):
    """Answers for all nodes and runs at once; arrays are (node, feature, run)."""

    @abstractmethod
    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Each node's argmin of O(f, D_i) + linear·f + ½ w_i‖f‖², perturbed and released.

        Args:
            linear: The linear term.
            weight: w_i, one a node.
            start: A released point from which the first search may begin; the answer doesn't depend on it.
        """

    @abstractmethod
    def gradient(self, point: Array) -> Array:
        """Each node's gradient of O(·, D_i), perturbed and released.

        Args:
            point: Where, a point of each node's own.
        """
