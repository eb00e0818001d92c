"""Where rows and networks come from: data sources, the download, the split, partitions over the nodes, topologies.

Each kind of component has its base class and its list in one file (`source`, `partition`, `topology`), and what radmm
ships in the folder of that name. Nothing here solves anything, and nothing here reads a config.
"""
