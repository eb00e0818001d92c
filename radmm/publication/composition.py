"""Totals of several publications from the same rows: releases by their ρ, research runs by their Rényi divergences."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.privacy.accountants.renyi import ORDERS, RenyiAccountant, converted
from radmm.privacy.guarantee import Guarantee, conditions_of
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import Relation
from radmm.publication.public_release import ACCOUNTANT, PublicRelease
from radmm.publication.zcdp import DIGITS, epsilon_of

NOT_THE_FILES = "counting what the runs release, not the seeds and exact results in research files"
SAME_ROWS = "taking all files to be about the same rows, and each by its worst node"
ROUNDED_UP = 1.0 + 1e-9  # for sums of divergences, of which each was rounded


@dataclass(frozen=True)
class ResearchRun:
    """A research run of which iterates or results were published.

    Args:
        name: Name of its file, for messages.
        ledger: What one run releases.
        seed: Seed of its noise.
        runs: Number of runs that are published.
        caveat: What making the features took from the data; "" if nothing.
    """

    name: str
    ledger: Ledger
    seed: int
    runs: int = 1
    caveat: str = ""

    def divergences(self, accountant: RenyiAccountant, delta: float) -> Array:
        """Return the Rényi divergences of all its runs, at each order those of the node that loses most there.

        Args:
            accountant: Accountant for the relation that is asked for.
        """
        accountant.check(self.ledger, delta)
        costs = np.array([accountant.cost(release) for release in self.ledger.releases]).reshape(-1, len(ORDERS))
        which = self.ledger.which[:, self.ledger.node_classes[0]]
        largest: Array = costs[which].sum(axis=0).max(axis=0) if len(which) else np.zeros_like(ORDERS)
        return self.runs * largest


def total_of(
    releases: Sequence[PublicRelease], research: Sequence[ResearchRun], delta: float, relation: Relation
) -> Guarantee:
    """Return the total ε of everything that was published from the same rows.

    Releases alone compose by adding ρ, in decimal numbers that are rounded up; with research runs among them all
    compose by Rényi divergences, of which a release has at most αρ at order α.

    Args:
        releases: Releases, all for the same relation.
        research: Research runs, none of which shares its draws with another.
    """
    check_relation(releases, relation)
    with localcontext(prec=DIGITS, rounding=ROUND_CEILING):
        rho = sum((Decimal(each.label["privacy_loss"]["rho"]) for each in releases), Decimal(0))
    runs = [(each.guarantee.iterations, each.guarantee.data_steps) for each in releases]
    runs += [(each.runs * each.ledger.iterations, each.runs * len(each.ledger.which)) for each in research]
    known = [condition for each in releases for condition in each.guarantee.conditions]
    known += [condition for each in research for condition in (*conditions_of(each.ledger), NOT_THE_FILES, each.caveat)]
    conditions = [SAME_ROWS, *(each.rstrip(".") for each in dict.fromkeys(known) if each)]
    iterations, steps = (sum(part) for part in zip(*runs, strict=True))
    if not research:
        return Guarantee(epsilon_of(rho, delta), delta, relation, ACCOUNTANT, conditions, iterations, steps)
    accountant = RenyiAccountant(relation)
    divergences = sum((each.divergences(accountant, delta) for each in research), float(rho) * ORDERS) * ROUNDED_UP
    epsilon = float(converted(divergences, delta))
    return Guarantee(epsilon, delta, relation, accountant.name, conditions, iterations, steps)


def check_relation(releases: Sequence[PublicRelease], relation: Relation) -> None:
    """Refuse releases whose labels are for another relation than the one asked for.

    Args:
        relation: Neighbouring relation of the total.
    """
    for each in releases:
        if each.guarantee.relation != relation:
            raise InputError(f"a release is labelled for {each.guarantee.relation}: must be for {relation}, like all")


def shared_seed(research: Sequence[ResearchRun]) -> tuple[str, str, int] | None:
    """Return two research runs that share a seed, and hence their draws of noise, with that seed; None if none do."""
    first: dict[int, str] = {}
    for each in research:
        if each.seed in first:
            return first[each.seed], each.name, each.seed
        first[each.seed] = each.name
    return None
