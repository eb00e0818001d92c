"""Metrics that a trace records at every iteration: the interface in `metric.py`, and a few files of those shipped."""
