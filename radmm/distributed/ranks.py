"""The ranks among which nodes are dealt out, and the three channels between them.

- *Edges* carries values of nodes to the ranks that own a neighbour: released values, or what is computed from such.
- *Control* carries a digest of what was asked for, refusals, and for each iteration and run whether it goes on.
- *Research* carries what a trace records: iterates, residuals and sums of losses of all nodes. Exact numbers are no
  release, so a solve without metrics opens no such channel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radmm.algorithms.algorithm import Algorithm, State
from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError
from radmm.distributed.network_part import NetworkPart
from radmm.model.network import Network
from radmm.model.problem import Problem


class OneProcess:
    """A simulation in one process, which owns all nodes: nothing is exchanged.

    Args:
        nodes: Number of nodes N.
    """

    def __init__(self, nodes: int) -> None:
        self.own: Integers = np.arange(nodes)

    @property
    def own_all(self) -> bool:
        """Whether this process owns every node."""
        return True

    def together(self) -> AbstractContextManager[None]:
        """Return a context in which an error of any rank is raised at all of them; here there is one rank."""
        return nullcontext()

    def agree(self, *what: object) -> None:
        """Check that all ranks were given the same arguments; a single process always was."""

    def part_of(self, network: Network) -> Network:
        """Return the network of the nodes that this process owns, with sums over their neighbours at any process."""
        return network

    def part_of_problem(self, problem: Problem, network: Network, algorithm: Algorithm[Any]) -> Problem:
        """Return the problem of the own nodes, or refuse one without their rows and an algorithm that needs all nodes.

        Args:
            problem: Problem with the rows of the own nodes, and maybe of others.
            network: Graph over which all nodes exchange values.
            algorithm: Algorithm that is to solve it.
        """
        refusal = None if self.own_all else algorithm.refusal_by_processes(network)
        if refusal:
            raise InputError(f"{refusal}, where nodes are spread over processes")
        missing = np.setdiff1d(self.own, problem.held)
        if len(missing):
            raise InputError(
                f"the problem holds no rows of node {missing[0]}: must have those of every node that this process owns"
            )
        return problem if self.own_all else problem.restricted(self.own)

    def for_all(self, mask: Mask) -> Mask:
        """Return the logical and of all ranks' masks, entry by entry."""
        return mask

    def gather(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of all nodes, (node, …), from those of the own ones."""
        return values

    def whole(self, state: State, with_dual: bool) -> State:
        """Return a state with the primal variables of all nodes and, if asked for, their dual variables."""
        return state


class RefusedByAllError(InputError):
    """Input that every rank refuses with the same sentence, so that one of them may say it for all."""


def first_nodes(ranks: int, nodes: int) -> Integers:
    """Return the first node of each rank, and after the last one N: a rank owns consecutive nodes.

    Args:
        ranks: Number of ranks; each owns as many nodes as any other, or one more.
    """
    if ranks > nodes:
        raise RefusedByAllError(f"there are {ranks} ranks for {nodes} nodes: must be at most one rank a node")
    return np.arange(ranks + 1) * nodes // ranks


@contextmanager
def together(comm: Any) -> Iterator[None]:
    """Raise at all ranks the InputError that any of them raises in this block, where ranks may exchange nothing.

    Args:
        comm: Communicator of mpi4py.
    """
    refused = None
    try:
        yield
    except InputError as error:
        refused = str(error)
    refusals = [text for text in comm.allgather(refused) if text is not None]
    if refusals:
        raise RefusedByAllError(refusals[0])


class Ranks(OneProcess):
    """The ranks of a communicator, each of which owns some of the nodes.

    Args:
        comm: Communicator of mpi4py; all its ranks call the same.
        nodes: Number of nodes N.
        research: Whether values of all nodes may be gathered.
    """

    def __init__(self, comm: Any, nodes: int, research: bool) -> None:
        self.rank, self.size = int(comm.rank), int(comm.size)
        self._start = first_nodes(self.size, nodes)
        self.own = np.arange(*self._start[self.rank : self.rank + 2])
        self._edges, self._control = comm.Dup(), comm.Dup()
        self._research = comm.Dup() if research else None

    @property
    def own_all(self) -> bool:
        """Whether this process owns every node."""
        return self.size == 1

    def together(self) -> AbstractContextManager[None]:
        """Raise at all ranks the InputError that any of them raises in this block, where ranks may exchange nothing."""
        return together(self._control)

    def agree(self, *what: object) -> None:
        """Check that all ranks were given the same arguments, or raise an InputError that names one that was not.

        Args:
            what: Values that must be the same at all ranks: arrays are compared by their bytes, others by their repr.
        """
        shown = [value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode() for value in what]
        digests = self._control.allgather(hashlib.sha256(b"\n".join(shown)).hexdigest())
        others = [rank for rank, digest in enumerate(digests) if digest != digests[0]]
        if others:
            raise RefusedByAllError(
                f"rank {others[0]} was given another problem, network or setting than rank 0: all ranks must be given "
                "the same"
            )

    def part_of(self, network: Network) -> Network:
        """Return the network of the nodes that this process owns, with sums over their neighbours at any process."""
        owner = np.searchsorted(self._start, np.arange(network.nodes), side="right") - 1
        return NetworkPart(network, owner, self.rank, self._edges)

    def for_all(self, mask: Mask) -> Mask:
        """Return the logical and of all ranks' masks, entry by entry."""
        everywhere: Mask = np.logical_and.reduce(self._control.allgather(mask))
        return everywhere

    def gather(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of all nodes, (node, …), in their order, from those of the own ones."""
        if self._research is None:
            raise InputError("metrics = False: must be True where values of all nodes are asked for")
        whole = np.empty((self._start[-1], *values.shape[1:]), values.dtype)
        each = int(np.prod(values.shape[1:]))
        self._research.Allgatherv(np.ascontiguousarray(values), (whole, (np.diff(self._start) * each).tolist()))
        return whole

    def whole(self, state: State, with_dual: bool) -> State:
        """Return a state with the primal variables of all nodes and, if asked for, their dual variables."""
        dual: Array | None = self.gather(state.dual) if with_dual and state.dual is not None else state.dual
        return replace(state, primal=self.gather(state.primal), dual=dual)
