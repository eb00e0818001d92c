"""Noise that is asked for by a budget: what can be refused at once, and what noise meets it.

To find the noise takes an accountant seconds or minutes, so it is a step of the workflow and no part of reading a
config. That a total bound is below what is spent without any noise is seen at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from radmm.model.facts import PublicFacts
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.calibration import Budget, Mechanism, calibrate_bound, calibrate_noise, check_bound
from radmm.privacy.laws import Law
from radmm.privacy.ledger import ledger_of
from radmm.privacy.noise import NOISES, Noise
from radmm.privacy.relation import Neighbours, Relation
from radmm.privacy.shared_calibration import bound_together, calibrate_together
from radmm.study.public import known_facts, notes_of
from radmm.study.settings import SAME_AS, Parameters, build_noise

BUDGET = ("total_bound", "total_epsilon", "delta", "accountant", "each_node", "neighbours", "rows", "law", "growth")
SHARED = ("cancelling", "colluders")  # 0 for none
LONGEST_AT_ONCE = 2_000  # iterations: more take seconds whenever a config is read, and the calibration refuses as well
STANDARD = 1.0  # a scale in place of the one that is to be found


def noise_parameters(section: Mapping[str, Any]) -> dict[str, Any]:
    """A noise section as a setting's parameters have it: α or σ alone tell the law, and a budget stands in for them.

    Args:
        section: All of its fields.
    """
    given = {name: value for name, value in section.items() if value is not None}
    given = {name: value for name, value in given.items() if value or name not in ("each_node", *SHARED)}
    asked = any(name in given for name in ("total_bound", "total_epsilon"))
    return {name: value for name, value in given.items() if asked or name not in BUDGET}


def mechanism_of(noise: Mapping[str, Any]) -> Mechanism:
    """The noise without its scale.

    Args:
        noise: A setting's section, with a budget.
    """
    standard = build_noise({"noise": _component_part(noise, scale_name(noise), STANDARD)})
    assert standard is not None  # noqa: S101 (a section was given)
    return Mechanism(
        NOISES[noise["kind"]],
        Law(noise["law"]),
        standard.repair,
        standard.cancelling,
        standard.colluders,
        noise.get("growth", 1.0),
    )


def _component_part(noise: Mapping[str, Any], scale: str, value: Any) -> dict[str, Any]:
    return {**{name: given for name, given in noise.items() if name not in BUDGET}, scale: value}


def budget_of(noise: Mapping[str, Any]) -> Budget:
    """The total (ε, δ) that is asked for.

    Args:
        noise: A setting's section, with a total ε.
    """
    named = {"accountant": noise["accountant"]} if "accountant" in noise else {}
    relation = Relation(noise.get("neighbours", Neighbours.REPLACE), noise.get("rows", 1))
    return Budget(noise["total_epsilon"], noise.get("delta", 0.0), relation=relation, **named)


def any_noise(parameters: Parameters) -> Noise | None:
    """The setting's noise, with some scale where that is still to be found: for checks that don't depend on it.

    Args:
        parameters: Of a setting.
    """
    noise = parameters["noise"]
    if noise is None or "law" not in noise:
        return build_noise(parameters)
    return build_noise({"noise": _component_part(noise, scale_name(noise), STANDARD)})


def scale_name(noise: Mapping[str, Any]) -> str:
    """What is to be found: alpha or sigma.

    Args:
        noise: A setting's section, with a budget.
    """
    return "sigma" if noise["law"] == Law.GAUSSIAN else "alpha"


def check_budget(parameters: Parameters, facts: PublicFacts, other: Parameters | None) -> None:
    """Refuse at once what no noise can meet, or no accountant can tell.

    Args:
        parameters: Of a setting with a budget.
        facts: Of the setting.
        other: The parameters of the one whose total bound it is to have, if it refers to one.
    """
    noise = parameters["noise"]
    budget = budget_of(noise) if "total_epsilon" in noise else None
    accountant = PaperAccountant() if budget is None else ACCOUNTANTS[budget.accountant]()
    first = ledger_of(notes_of(parameters, 1), facts, mechanism_of(noise).noise(STANDARD))
    accountant.check(first, 0.0 if budget is None else budget.delta)
    longest = max(each["iterations"] for each in (parameters, other or parameters))
    bound = known_bound(parameters, other) if longest <= LONGEST_AT_ONCE else None
    if bound is not None:
        check_bound(facts, notes_of(parameters), NOISES[noise["kind"]], bound)


def known_bound(parameters: Parameters, other: Parameters | None) -> float | None:
    """The total bound that is asked for, as a number or as another setting's; None if it can't be told without data.

    Args:
        parameters: Of a setting with a budget.
        other: The parameters of the one that it refers to, if it does.
    """
    asked = parameters["noise"].get("total_bound")
    if other is None:
        return asked if isinstance(asked, float) else None
    facts = known_facts(other)
    return None if facts is None else bound_of(other, facts)


def bound_of(parameters: Parameters, facts: PublicFacts) -> float:
    """The total bound P(T) of a setting that doesn't refer to another.

    Args:
        parameters: Of the setting.
        facts: Of the setting.
    """
    asked = parameters["noise"].get("total_bound")
    if isinstance(asked, float):
        return asked
    noise = build_noise(parameters)
    assert noise is not None  # noqa: S101 (it has a section)
    return PaperAccountant().epsilon(ledger_of(notes_of(parameters), facts, noise))


def calibrate(parameters: Parameters, facts: PublicFacts, bound: float | None) -> dict[str, Any]:
    """The noise section with the scale that meets its budget.

    Args:
        parameters: Of a setting with a budget.
        facts: Of the setting.
        bound: The total bound, where that is what is asked for.
    """
    noise, notes = parameters["noise"], notes_of(parameters)
    scale: float | list[float]
    if bound is not None:
        scale = calibrate_bound(facts, notes, NOISES[noise["kind"]], bound)
    else:
        each = bool(noise.get("each_node", False))
        scale = calibrate_noise(facts, notes, mechanism_of(noise), budget_of(noise), each)
    return _with_scale(noise, scale)


def calibrate_all(settings: Sequence[tuple[Parameters, PublicFacts]]) -> dict[str, Any]:
    """The noise section with one scale that meets the budget of settings which differ in split and network alone.

    Args:
        settings: Each with its public facts; the budget is a number.
    """
    noise = settings[0][0]["noise"]
    runs = [(facts, notes_of(parameters)) for parameters, facts in settings]
    if "total_bound" in noise:
        return _with_scale(noise, bound_together(runs, NOISES[noise["kind"]], noise["total_bound"]))
    return _with_scale(noise, calibrate_together(runs, mechanism_of(noise), budget_of(noise)))


def _with_scale(noise: Mapping[str, Any], scale: float | list[float]) -> dict[str, Any]:
    mechanism = mechanism_of(noise)
    schedule = scale if mechanism.growth == 1.0 else {"scale": scale, "ratio": mechanism.ratio}
    return _component_part(noise, scale_name(noise), schedule)


def reference_of(parameters: Parameters) -> str | None:
    """The setting whose total bound this one is to have: a label as it is written, an id once it is resolved.

    Args:
        parameters: Of a setting.
    """
    bound = (parameters["noise"] or {}).get("total_bound")
    return str(bound[SAME_AS]) if isinstance(bound, Mapping) else None
