"""A real Slurm of three nodes on this machine, and what can go wrong on one."""
