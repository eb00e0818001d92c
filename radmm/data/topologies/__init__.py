"""The laws of networks that radmm ships, a file for each family: random ones, fixed shapes, and a file on disk.

What makes no network is not here: a topology gives pairs of nodes, and `radmm.model.network` checks and uses them.
"""
