"""Calibration of settings whose noise is given by a budget, and checks that refuse at once a budget that no noise can
meet.

Calibration takes an accountant seconds or minutes, so it is a step of the workflow and no part of reading a config.
Whether a total bound is below what is spent without any noise is known at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

from radmm.model.public_facts import PublicFacts
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.calibration import Budget, Mechanism, calibrate_bound, calibrate_noise, check_bound
from radmm.privacy.ledger import ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.relation import Neighbours, Relation
from radmm.privacy.shared_calibration import bound_together, calibrate_together
from radmm.study.noise_budget import UNIT, NoiseBudget
from radmm.study.setting_facts import known_facts, query_log_of
from radmm.study.settings import Setting

LONGEST_AT_ONCE = 2_000  # iterations: more take seconds whenever a config is read, and the calibration refuses as well


class Calibration(NamedTuple):
    """Result of calibrating a setting's noise to its budget.

    Args:
        noise: Calibrated noise.
        total_bound: Total bound that the noise meets; None if the budget was a total ε.
    """

    noise: Noise
    total_bound: float | None


def requested(setting: Setting) -> NoiseBudget:
    """Return the budget of a setting whose noise is not calibrated yet."""
    assert isinstance(setting.noise, NoiseBudget)  # noqa: S101 (callers have looked)
    return setting.noise


def mechanism_of(request: NoiseBudget) -> Mechanism:
    """Return the noise of a budget without its scale."""
    unit = request.unit
    growth = 1.0 if request.growth is None else request.growth
    return Mechanism(type(unit), unit.law, unit.repair, unit.cancelling, unit.colluders, growth)


def budget_of(request: NoiseBudget) -> Budget:
    """Return the total (ε, δ) of a budget.

    Args:
        request: Noise budget with a total ε.
    """
    assert request.total_epsilon is not None  # noqa: S101 (callers have looked)
    relation = Relation(Neighbours(request.neighbours or Neighbours.REPLACE), request.rows or 1)
    named = {} if request.accountant is None else {"accountant": request.accountant}
    return Budget(request.total_epsilon, request.delta or 0.0, relation=relation, **named)


def check_budget(setting: Setting, facts: PublicFacts, other: Setting | None) -> None:
    """Refuse a budget that no noise can meet, or that its accountant can't bound.

    Args:
        setting: Setting with a budget.
        other: Setting whose total bound it refers to; None if its budget is a number.
    """
    request = requested(setting)
    budget = None if request.total_epsilon is None else budget_of(request)
    accountant = PaperAccountant() if budget is None else ACCOUNTANTS[budget.accountant]()
    first = ledger_of(query_log_of(setting, 1), facts, mechanism_of(request).noise(UNIT))
    accountant.check(first, 0.0 if budget is None else budget.delta)
    longest = max(each.iterations for each in (setting, other or setting))
    bound = known_bound(setting, other) if longest <= LONGEST_AT_ONCE else None
    if bound is not None:
        check_bound(facts, query_log_of(setting), type(request.unit), bound)


def check_known_bound(setting: Setting) -> None:
    """Refuse a total bound, given as a number, that no noise can meet, as far as that is known without data."""
    if isinstance(setting.noise, NoiseBudget) and isinstance(setting.noise.total_bound, float):
        facts = known_facts(setting) if setting.iterations <= LONGEST_AT_ONCE else None
        if facts is not None:
            check_bound(facts, query_log_of(setting), type(setting.noise.unit), setting.noise.total_bound)


def known_bound(setting: Setting, other: Setting | None) -> float | None:
    """Return the total bound of a budget, given as a number or as another setting's; None if it depends on data.

    Args:
        setting: Setting with a budget.
        other: Setting that the budget refers to; None if its budget is a number.
    """
    if other is None:
        bound = requested(setting).total_bound
        return bound if isinstance(bound, float) else None
    facts = known_facts(other)
    return None if facts is None else bound_of(other, facts)


def bound_of(setting: Setting, facts: PublicFacts) -> float:
    """Return the total bound P(T) of a setting that refers to no other.

    Args:
        setting: Setting with noise, or with a total bound as its budget.
    """
    if isinstance(setting.noise, NoiseBudget):
        assert isinstance(setting.noise.total_bound, float)  # noqa: S101 (what others may refer to has a bound)
        return setting.noise.total_bound
    assert setting.noise is not None  # noqa: S101 (what others may refer to has noise)
    return PaperAccountant().epsilon(ledger_of(query_log_of(setting), facts, setting.noise))


def calibrate(setting: Setting, facts: PublicFacts, bound: float | None) -> Noise:
    """Return the noise that meets a setting's budget.

    Args:
        setting: Setting with a budget.
        bound: Total bound to meet, where the budget is one.
    """
    request, notes = requested(setting), query_log_of(setting)
    scale: float | list[float]
    if bound is not None:
        scale = calibrate_bound(facts, notes, type(request.unit), bound)
    else:
        scale = calibrate_noise(facts, notes, mechanism_of(request), budget_of(request), request.each_node)
    return request.at_scale(scale)


def calibrate_all(settings: Sequence[tuple[Setting, PublicFacts]]) -> Noise:
    """Return one noise that meets the same budget for all of some settings.

    Args:
        settings: Settings that differ in split and network alone, each with its public facts; their budget is a
            number.
    """
    request = requested(settings[0][0])
    runs = [(facts, query_log_of(setting)) for setting, facts in settings]
    if isinstance(request.total_bound, float):
        return request.at_scale(bound_together(runs, type(request.unit), request.total_bound))
    return request.at_scale(calibrate_together(runs, mechanism_of(request), budget_of(request)))
