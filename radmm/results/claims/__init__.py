"""Verdicts on the empirical claims of the paper, from the traces."""
