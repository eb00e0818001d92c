"""What the paper's theorems on convergence and sample size say of a setting. Nothing here is enforced."""

import json
import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from radmm.algorithms.recycled import Recycled
from radmm.base.arrays import Integers
from radmm.model.facts import PublicFacts
from radmm.model.network import Network
from radmm.results.theorem import best_of, matrices_of, sufficient_gamma
from radmm.study.public import facts_of, kept, known_facts, network_of
from radmm.study.settings import Parameters, build_algorithm, canonical

LARGEST_NETWORK = 50  # nodes up to which the conditions are evaluated: they take eigenvalues of N × N matrices


@dataclass(frozen=True)
class SampleSize:
    """How good a classifier the sample-size theorems are asked about; constants they leave open are at their kindest.

    The unknown factor w is 1, and a, Δ_i(k) are 0.
    """

    excess: float = 0.1  # τ, the loss above the reference classifier's
    failure: float = 0.05  # δ of the theorem, not of privacy
    reference_norm: float = 10.0  # ‖f_ref‖

    def without_noise(self) -> float:
        """‖f_ref‖² log(1/δ)/τ²."""
        return self.reference_norm**2 * math.log(1.0 / self.failure) / self.excess**2

    def denominator(self, facts: PublicFacts, dimension: int, alpha: float) -> float:
        """NC τ²/(2‖f_ref‖²) − N d²/(C α²) log(d/δ)²: not positive, and the theorem says nothing."""
        gain = facts.nodes * facts.C * self.excess**2 / (2.0 * self.reference_norm**2)
        loss = facts.nodes * dimension**2 / (facts.C * alpha**2) * math.log(dimension / self.failure) ** 2
        return gain - loss

    def with_noise(self, facts: PublicFacts, dimension: int, alpha: float) -> float | None:
        """The private theorem's sample size for α, or None where it is vacuous."""
        denominator = self.denominator(facts, dimension, alpha)
        return facts.C * facts.nodes * math.log(1.0 / self.failure) / denominator if denominator > 0 else None

    def least_alpha(self, facts: PublicFacts, dimension: int) -> float:
        """Below this α the private theorem is vacuous."""
        root = math.sqrt(2.0) * self.reference_norm / (facts.C * self.excess)
        return dimension * math.log(dimension / self.failure) * root


def describe(parameters: Parameters, row_counts: Integers | None = None) -> dict[str, Any]:
    """A setting's columns in the table of settings: None where a theorem is not about it, or its facts need the data.

    Args:
        parameters: Of a setting whose noise is known.
        row_counts: B_i, one a node, where only the data tell; None if nobody has looked.
    """
    asked = _asked(parameters, row_counts)
    return {
        "theory.margin": None if asked is None else _margin(asked),
        "theory.sufficient_gamma": None if asked is None else _least_gamma(asked),
        **_samples(_facts(parameters, _told(row_counts)), (parameters["noise"] or {}).get("alpha")),
    }


class _Asked(NamedTuple):
    """What the convergence theorem is asked about: sections that it depends on, B_i where they were told, and who."""

    chosen: str
    row_counts: tuple[int, ...] | None
    algorithm: Recycled


def _asked(parameters: Parameters, row_counts: Integers | None) -> _Asked | None:
    """None where the theorem is about other algorithms, noise, too large a network, or facts that need the data."""
    facts, algorithm = _facts(parameters, _told(row_counts)), build_algorithm(parameters)
    if not isinstance(algorithm, Recycled) or parameters["noise"] is not None:
        return None
    if facts is None or facts.nodes > LARGEST_NETWORK or facts.c1 is None:
        return None
    chosen = {name: parameters[name] for name in ("data", "split", "network", "partition", "problem", "iterations")}
    return _Asked(canonical(chosen), _told(row_counts), algorithm)


def _told(row_counts: Integers | None) -> tuple[int, ...] | None:
    return None if row_counts is None else tuple(row_counts.tolist())


@kept
def _margin(asked: _Asked) -> float:
    """The margin of the convergence theorem's conditions, searched for once for settings that it can't tell apart."""
    facts, network, iterations = _public(asked.chosen, asked.row_counts)
    return best_of(matrices_of(facts, network, asked.algorithm, iterations, asked.algorithm.gamma)).margin


def _facts(parameters: Parameters, row_counts: tuple[int, ...] | None) -> PublicFacts | None:
    return known_facts(parameters) if row_counts is None else facts_of(parameters, np.array(row_counts))


def _least_gamma(asked: _Asked) -> float | None:
    return _sufficient_gamma(asked.chosen, asked.row_counts, replace(asked.algorithm, gamma=0.0))


@kept
def _sufficient_gamma(chosen: str, row_counts: tuple[int, ...] | None, algorithm: Recycled) -> float | None:
    facts, network, iterations = _public(chosen, row_counts)
    return sufficient_gamma(facts, network, algorithm, iterations)


def _samples(facts: PublicFacts | None, alpha: Any) -> dict[str, Any]:
    asked = SampleSize()
    columns: dict[str, Any] = {"theory.samples": asked.without_noise(), "theory.samples_private": None}
    # The private theorem is about nodes of one weight C.
    if facts is not None and np.all(facts.node_weights == facts.C) and isinstance(alpha, float | list):
        least = float(np.min(alpha))
        number = asked.with_noise(facts, facts.dimension, least)
        vacuous = f"vacuous: its denominator is {asked.denominator(facts, facts.dimension, least):.4g}"
        columns["theory.samples_private"] = vacuous if number is None else f"{number:.4g}"
    return columns


@kept
def _public(chosen: str, row_counts: tuple[int, ...] | None) -> tuple[PublicFacts, Network, int]:
    section = json.loads(chosen)
    facts = _facts(section, row_counts)
    assert facts is not None  # noqa: S101 (the caller has looked)
    return facts, network_of(section), section["iterations"]
