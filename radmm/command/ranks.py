"""The processes that run a command together, by mpi4py, and the end of all of them when one fails."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from radmm.base.errors import InputError
from radmm.distributed.ranks import RefusedByAllError

# How many processes were started together, as Open MPI, MPICH and Intel MPI, and Slurm's srun tell each of them: the
# first that is set counts, as srun may have started the launcher.
SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS")


def started_together() -> int:
    """Return how many processes a launcher says it has started; 1 if there was none."""
    return next((int(os.environ[name]) for name in SIZES if os.environ.get(name)), 1)


def refuse_ranks() -> None:
    """Refuse to do the same work in each of several processes."""
    started = started_together()
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
    if started_together() > MPI.COMM_WORLD.size:
        raise InputError(
            f"radmm solve was started as {started_together()} processes, of which MPI connects {MPI.COMM_WORLD.size}: "
            "must be started by the launcher of the MPI that mpi4py has loaded, like mpirun"
        )
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
