"""The topologies that radmm ships, one file for each family: random graphs, fixed shapes, and files on disk.

A topology only gives pairs of nodes; `radmm.model.network` checks and uses them.
"""
