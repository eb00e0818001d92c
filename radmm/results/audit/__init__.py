"""Audits: what a run's releases really give away, held against what the accountants say they do."""
