"""Ledgers made from public facts alone: the degrees may be those of no network that exists."""

from dataclasses import replace

import numpy as np

from radmm.model.losses.logistic import Logistic
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import ledger_of
from radmm.privacy.query_log import record_queries


class Degrees:
    """All of a network that an algorithm sees while its queries are recorded: every released value is zero then."""

    def __init__(self, degrees):
        self.degrees, self.nodes = np.asarray(degrees, dtype=float), len(degrees)

    def neighbour_sum(self, values):
        return np.zeros_like(values)


def facts_of(C, rho, row_counts, degrees, dimension=6, loss=None, weighting=Weighting.NODES):
    rows, degrees = np.array(row_counts), np.array(degrees, dtype=float)
    return PublicFacts.of(loss or Logistic(), C, rho, rows, degrees, dimension, weighting)


def notes_of(facts, algorithm, iterations):
    return record_queries(algorithm, Degrees(facts.degrees), iterations)


def make_ledger(facts, algorithm, noise, iterations, dimension=None):
    facts = replace(facts, dimension=facts.dimension if dimension is None else dimension)
    return ledger_of(notes_of(facts, algorithm, iterations), facts, noise)


def total_bound(facts, algorithm, noise, iterations):
    """P(t) for t = 0 … T."""
    return ACCOUNTANTS["paper"]().trace(make_ledger(facts, algorithm, noise, iterations))
