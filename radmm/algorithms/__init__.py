"""The algorithms, one file for each family, and the oracle through which they query the data.

An algorithm is a frozen dataclass of hyper-parameters with a first state and a step. It reaches the data through the
oracle alone: no problem, engine, noise or random stream is imported here.
"""
