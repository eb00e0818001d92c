"""Nodes that are spread over the processes of an MPI communicator, and what these tell each other.

A process (a rank) owns nodes and holds their rows, no others. Algorithms, oracle and noise are those of a simulation:
here is only who owns which node (`ranks.py`), the exchange with neighbours at other ranks (`network_part.py`), and the
losses that a trace needs of all nodes (`gathered_losses.py`). Nothing here imports mpi4py: the caller's communicator is
all that is used.
"""
