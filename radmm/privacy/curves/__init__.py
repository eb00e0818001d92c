"""Curves of one row: how well a release distinguishes a data set with a row from one without it, and resulting totals.

Everything is about one release and a change of few rows, in units of the noise; ledgers and nodes are not known here.
"""
