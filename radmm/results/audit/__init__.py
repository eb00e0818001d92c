"""Audits, which compare what a run's releases really reveal with what the accountants bound."""
