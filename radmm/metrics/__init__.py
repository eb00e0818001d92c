"""Metrics that a trace records at every iteration: the interface in `metric.py`, and the files of those shipped.

A metric reads states and rows and changes neither; what it measures is exact, and covered by no ε.
"""
