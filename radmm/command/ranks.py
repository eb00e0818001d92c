"""The processes that run a command together, by mpi4py, and the end of all of them when one fails."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from radmm.base.errors import InputError
from radmm.distributed.ranks import RefusedByAllError

# How many processes were started together, as Open MPI, MPICH and Intel MPI, and Slurm's PMI tell each of them.
SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")


def refuse_ranks() -> None:
    """Refuse to do the same work in each of several processes."""
    started = max((int(os.environ.get(name) or 1) for name in SIZES), default=1)
    if started > 1:
        raise InputError(
            f"radmm solve was started as {started} processes: must be given --nodes FOLDER, which radmm partition "
            "writes, so that each reads the rows of its own nodes"
        )


def world() -> Any:
    """Return the communicator of all processes that were started together."""
    try:
        from mpi4py import MPI  # an extra, which nothing else needs
    except ImportError as error:
        raise InputError(
            "--nodes: must have mpi4py, and an MPI that it can load, to run as several processes: "
            f"pip install 'radmm[mpi]' ({error})"
        ) from None
    return MPI.COMM_WORLD


@contextmanager
def ending_all(comm: Any) -> Iterator[None]:
    """End all processes when this one fails, with one sentence; nothing half-written is left behind.

    Args:
        comm: Communicator of all processes.
    """
    try:
        yield
    except RefusedByAllError:
        raise
    except Exception as error:
        why = error if isinstance(error, InputError) else repr(error)
        print(f"radmm: rank {comm.rank} of {comm.size} failed, which ends all: {why}", file=sys.stderr, flush=True)
        comm.Abort(1)
