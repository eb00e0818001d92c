"""Statements of the paper's theorems on convergence and sample size about a setting; none of them is enforced."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from radmm.algorithms.recycled import Recycled
from radmm.base.arrays import Integers
from radmm.model.public_facts import PublicFacts
from radmm.results.convergence_theorem import convergence_condition, sufficient_gamma
from radmm.study.setting_facts import cached_by, facts_of, known_facts, network_of
from radmm.study.settings import Setting

LARGEST_NETWORK = 50  # nodes up to which the conditions are evaluated: they take eigenvalues of N × N matrices
PUBLIC = ("data", "split", "network", "partition", "problem", "iterations")  # what the theorem's matrices are made of


@dataclass(frozen=True)
class SampleSize:
    """Parameters of the sample-size theorems: the quality of the classifier, with open constants at their most
    favourable.

    The unknown factor w is 1, and a, Δ_i(k) are 0.
    """

    excess: float = 0.1  # τ, the loss above the reference classifier's
    failure: float = 0.05  # δ of the theorem, not of privacy
    reference_norm: float = 10.0  # ‖f_ref‖

    def without_noise(self) -> float:
        """Return ‖f_ref‖² log(1/δ)/τ², the sample size without noise."""
        return self.reference_norm**2 * math.log(1.0 / self.failure) / self.excess**2

    def denominator(self, facts: PublicFacts, dimension: int, alpha: float) -> float:
        """Return NC τ²/(2‖f_ref‖²) − N d²/(C α²) log(d/δ)²; where it is not positive the theorem says nothing."""
        gain = facts.nodes * facts.C * self.excess**2 / (2.0 * self.reference_norm**2)
        loss = facts.nodes * dimension**2 / (facts.C * alpha**2) * math.log(dimension / self.failure) ** 2
        return gain - loss

    def with_noise(self, facts: PublicFacts, dimension: int, alpha: float) -> float | None:
        """Return the private theorem's sample size for α, or None where it is vacuous."""
        denominator = self.denominator(facts, dimension, alpha)
        return facts.C * facts.nodes * math.log(1.0 / self.failure) / denominator if denominator > 0 else None


def describe(setting: Setting, row_counts: Integers | None = None) -> dict[str, float | str | None]:
    """Return a setting's columns in the table of settings: None where a theorem doesn't apply, or its facts depend on
    data.

    Args:
        setting: Setting with its calibrated noise.
        row_counts: Number of rows B_i of each node, where these depend on the data; None if they are not known yet.
    """
    counts = None if row_counts is None else tuple(row_counts.tolist())
    facts, noise = _facts(setting, counts), setting.known_noise
    is_covered = _is_covered(setting, facts)
    return {
        "theory.margin": _margin(setting, counts) if is_covered else None,
        "theory.sufficient_gamma": _sufficient_gamma(setting, counts) if is_covered else None,
        **_samples(facts, None if noise is None else noise.alpha),
    }


def _is_covered(setting: Setting, facts: PublicFacts | None) -> bool:
    """Return whether the convergence theorem is about the setting, and its conditions can be evaluated."""
    if not isinstance(setting.algorithm, Recycled) or setting.noise is not None:
        return False
    return facts is not None and facts.nodes <= LARGEST_NETWORK and facts.c1 is not None


@cached_by(*PUBLIC, "algorithm")
def _margin(setting: Setting, row_counts: tuple[int, ...] | None) -> float:
    """Return the margin of the convergence theorem's conditions, computed once for settings that share it."""
    facts, algorithm = _known(setting, row_counts)
    return convergence_condition(facts, network_of(setting), algorithm, setting.iterations).margin


def _sufficient_gamma(setting: Setting, row_counts: tuple[int, ...] | None) -> float | None:
    """Return the least γ that meets the conditions, computed once for settings that differ in γ alone."""
    assert isinstance(setting.algorithm, Recycled)  # noqa: S101 (the caller has looked)
    return _least_gamma(replace(setting, algorithm=replace(setting.algorithm, gamma=0.0)), row_counts)


@cached_by(*PUBLIC, "algorithm")
def _least_gamma(setting: Setting, row_counts: tuple[int, ...] | None) -> float | None:
    facts, algorithm = _known(setting, row_counts)
    return sufficient_gamma(facts, network_of(setting), algorithm, setting.iterations)


def _known(setting: Setting, row_counts: tuple[int, ...] | None) -> tuple[PublicFacts, Recycled]:
    facts, algorithm = _facts(setting, row_counts), setting.algorithm
    assert facts is not None  # noqa: S101 (the caller has looked)
    assert isinstance(algorithm, Recycled)  # noqa: S101 (likewise)
    return facts, algorithm


def _facts(setting: Setting, row_counts: tuple[int, ...] | None) -> PublicFacts | None:
    return known_facts(setting) if row_counts is None else facts_of(setting, np.array(row_counts))


def _samples(facts: PublicFacts | None, alpha: Any) -> dict[str, float | str | None]:
    asked = SampleSize()
    columns: dict[str, float | str | None] = {"theory.samples": asked.without_noise(), "theory.samples_private": None}
    # The private theorem is about nodes of one weight C.
    if facts is not None and np.all(facts.node_weights == facts.C) and isinstance(alpha, float | tuple):
        least = float(np.min(alpha))
        number = asked.with_noise(facts, facts.dimension, least)
        vacuous = f"vacuous: its denominator is {asked.denominator(facts, facts.dimension, least):.4g}"
        columns["theory.samples_private"] = vacuous if number is None else f"{number:.4g}"
    return columns
