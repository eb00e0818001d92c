"""The algorithms, a file for each family, with the state it carries on; and the oracle that they ask.

An algorithm is its parameters, a first state and a step. It reaches data by the oracle only: no problem, no engine, no
noise and no random stream is imported here.
"""
