"""The oracle: the only way from an algorithm to the data.

Every answer is released. An algorithm that keeps to the oracle can't touch the data in any other way, so its queries
are all that its privacy costs. Which query it makes, and with which weights, must not depend on earlier answers.
"""

from abc import ABC, abstractmethod

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.quadratic_model import QuadraticModel


class Oracle(ABC):
    """Interface through which algorithms query the data of all nodes and runs; arrays are (node, feature, run)."""

    @abstractmethod
    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Release each node's perturbed argmin of O(f, D_i) + linear·f + ½ w_i‖f‖².

        Args:
            linear: Linear term, (node, feature, run).
            weight: Quadratic weight w_i, one a node.
            start: Released point from which the first search may begin; the answer doesn't depend on it.
        """

    @abstractmethod
    def gradient(self, point: Array) -> Array:
        """Release each node's perturbed gradient of O(·, D_i).

        Args:
            point: Point at which each node takes its gradient, (node, feature, run).
        """

    def moments(self, point: Array) -> QuadraticModel:
        """Release each node's perturbed first and second moments, as the quadratic model of O(·, D_i) that they make.

        Args:
            point: Any released point, (node, feature, run); the answer has its features and runs, and doesn't depend on
                its values.
        """
        raise InputError(f"{type(self).__name__}: must be an oracle that answers moments")
