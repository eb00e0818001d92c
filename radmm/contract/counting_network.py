"""A network that counts what its nodes send to their neighbours."""

from radmm.base.arrays import Array
from radmm.model.network import Network


class CountingNetwork(Network):
    """Network that counts the numbers which a node has sent to each neighbour, for one run.

    What neighbours have been told once is known to them, as f(0) is, and is not sent again.

    Args:
        network: Network that it is like.
        start: Initial values f(0), (node, feature, run).
    """

    def __init__(self, network: Network, start: Array) -> None:
        super().__init__(network.adjacency)
        self.numbers = 0
        self._known = {start.tobytes()}

    def neighbour_sum(self, values: Array) -> Array:
        """Count what is exchanged, and return S_i(v_i + v_j)."""
        self._exchange(values)
        return super().neighbour_sum(values)

    def mix(self, values: Array) -> Array:
        """Count what is exchanged, and return Σ_j W_ij v_j."""
        self._exchange(values)
        return super().mix(values)

    def gossip(self, values: Array, rounds: int) -> Array:
        """Count what is exchanged in all rounds, and return p_m(W) v."""
        before = self.numbers
        agreed = super().gossip(values, rounds)  # by `mix` or not
        self.numbers = before + rounds * values.shape[1]
        return agreed

    def _exchange(self, values: Array) -> None:
        if values.tobytes() not in self._known:
            self._known.add(values.tobytes())
            self.numbers += values.shape[1]
