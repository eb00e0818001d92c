"""Curves of one row: how well a release tells a data set with a row from one without it, and what follows for totals.

Everything is about one release and a change of few rows, in units of the noise; ledgers and nodes are not known here.
"""
