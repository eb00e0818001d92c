"""Noise that is asked for by a budget: what can be refused at once, and what noise meets it.

To find the noise takes an accountant seconds or minutes, so it is a step of the workflow and no part of reading a
config. That a total bound is below what is spent without any noise is seen at once.
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
    """What calibration found for a setting.

    Args:
        noise: The noise with its scale.
        total_bound: The total bound that it was asked to meet; None if the budget was a total ε.
    """

    noise: Noise
    total_bound: float | None


def requested(setting: Setting) -> NoiseBudget:
    """The budget of a setting that has one.

    Args:
        setting: A setting whose noise is not calibrated yet.
    """
    assert isinstance(setting.noise, NoiseBudget)  # noqa: S101 (callers have looked)
    return setting.noise


def mechanism_of(request: NoiseBudget) -> Mechanism:
    """The noise that is asked for, all but its scale.

    Args:
        request: A noise budget.
    """
    unit = request.unit
    growth = 1.0 if request.growth is None else request.growth
    return Mechanism(type(unit), unit.law, unit.repair, unit.cancelling, unit.colluders, growth)


def budget_of(request: NoiseBudget) -> Budget:
    """The total (ε, δ) that is asked for.

    Args:
        request: A noise budget with a total ε.
    """
    assert request.total_epsilon is not None  # noqa: S101 (callers have looked)
    relation = Relation(Neighbours(request.neighbours or Neighbours.REPLACE), request.rows or 1)
    named = {} if request.accountant is None else {"accountant": request.accountant}
    return Budget(request.total_epsilon, request.delta or 0.0, relation=relation, **named)


def check_budget(setting: Setting, facts: PublicFacts, other: Setting | None) -> None:
    """Refuse at once what no noise can meet, or no accountant can tell.

    Args:
        setting: A setting with a budget.
        facts: The setting's public facts.
        other: The setting whose total bound it is to have, if it refers to one.
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


def known_bound(setting: Setting, other: Setting | None) -> float | None:
    """The total bound that is asked for, as a number or as another setting's; None if it can't be told without data.

    Args:
        setting: A setting with a budget.
        other: The setting that it refers to, if it does.
    """
    if other is None:
        bound = requested(setting).total_bound
        return bound if isinstance(bound, float) else None
    facts = known_facts(other)
    return None if facts is None else bound_of(other, facts)


def bound_of(setting: Setting, facts: PublicFacts) -> float:
    """The total bound P(T) of a setting that doesn't refer to another.

    Args:
        setting: A setting with noise, or with a total bound to be met.
        facts: The setting's public facts.
    """
    if isinstance(setting.noise, NoiseBudget):
        assert isinstance(setting.noise.total_bound, float)  # noqa: S101 (what others may refer to has a bound)
        return setting.noise.total_bound
    assert setting.noise is not None  # noqa: S101 (what others may refer to has noise)
    return PaperAccountant().epsilon(ledger_of(query_log_of(setting), facts, setting.noise))


def calibrate(setting: Setting, facts: PublicFacts, bound: float | None) -> Noise:
    """The noise that meets a setting's budget.

    Args:
        setting: A setting with a budget.
        facts: The setting's public facts.
        bound: The total bound, where that is what is asked for.
    """
    request, notes = requested(setting), query_log_of(setting)
    scale: float | list[float]
    if bound is not None:
        scale = calibrate_bound(facts, notes, type(request.unit), bound)
    else:
        scale = calibrate_noise(facts, notes, mechanism_of(request), budget_of(request), request.each_node)
    return request.at_scale(scale)


def calibrate_all(settings: Sequence[tuple[Setting, PublicFacts]]) -> Noise:
    """The one noise that meets the budget of settings which differ in split and network alone.

    Args:
        settings: Each with its public facts; the budget is a number.
    """
    request = requested(settings[0][0])
    runs = [(facts, query_log_of(setting)) for setting, facts in settings]
    if isinstance(request.total_bound, float):
        return request.at_scale(bound_together(runs, type(request.unit), request.total_bound))
    return request.at_scale(calibrate_together(runs, mechanism_of(request), budget_of(request)))
