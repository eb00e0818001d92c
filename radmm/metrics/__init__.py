"""Metrics that a trace records at every iteration: interface and registry in `metric.py`, what they may look at in
`snapshot.py`, and those that radmm ships in a few files.

What lives here measures a solve and changes nothing in it; names, units and labels for tables and figures belong to the
metric.
"""
