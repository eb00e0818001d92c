"""Origin of rows and networks: data sources, downloads, the split, partitions over the nodes, topologies.

Each kind of component has its base class and registry in one file (`source`, `partition`, `topology`), and the
components that radmm ships in the folder of that name. Nothing here solves anything or reads a config.
"""
