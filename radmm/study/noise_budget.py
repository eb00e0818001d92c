"""Noise budgets, which give a noise by the privacy that a run may spend, and conversion of noises to JSON and back."""

from dataclasses import dataclass, fields, replace
from typing import Any

from radmm.base.json_object import JsonObject
from radmm.model.schedules.geometric import Geometric
from radmm.privacy.noise import NOISES, Noise
from radmm.privacy.noise_laws import Law
from radmm.study.component_json import Json, from_json, to_json

SAME_AS = "same_as"  # the field of a total bound that names another setting
UNIT = 1.0  # the scale α or σ of a noise whose scale is still to be found
LEFT_OUT_AT_ZERO = (
    "each_node",
    "cancelling",
    "colluders",
)  # fields of a noise's section that are left out where they are zero


@dataclass(frozen=True)
class SameBound:
    """Reference to the total bound of another setting.

    Args:
        setting: Label of the other setting while a config is being read, its id from then on.
    """

    setting: str


@dataclass(frozen=True)
class NoiseBudget:
    """Noise whose scale is to be calibrated: the least that keeps within a total bound or a total (ε, δ).

    Fields that are None were left out of the config, and are left out of a setting's id.

    Args:
        unit: Noise at scale 1, which has the kind, the law and all other parameters.
        total_bound: Published total bound P(T) to meet, as a number or as that of another setting.
        total_epsilon: Total ε to meet.
        delta: δ that belongs to the total ε.
        accountant: Name of the accountant whose bound must meet ε.
        growth: Factor of α or 1/σ from one data-touching step to the next.
        each_node: Whether every node meets ε by itself, with its own noise.
        neighbours: Name of the neighbouring relation for which ε holds.
        rows: Largest number of rows of one person.
        draws: Seeds on whose splits and graphs one noise must meet the budget; None for the setting's own.
    """

    unit: Noise
    total_bound: float | SameBound | None = None
    total_epsilon: float | None = None
    delta: float | None = None
    accountant: str | None = None
    growth: float | None = None
    each_node: bool = False
    neighbours: str | None = None
    rows: int | None = None
    draws: tuple[int, ...] | None = None

    @property
    def reference(self) -> str | None:
        """Setting whose total bound is to be met; None if the budget is a number."""
        return self.total_bound.setting if isinstance(self.total_bound, SameBound) else None

    def referring_to(self, setting: str) -> "NoiseBudget":
        """Return the same budget with a reference to another setting.

        Args:
            setting: Id of the other setting.
        """
        return replace(self, total_bound=SameBound(setting))

    def at_scale(self, scale: float | list[float]) -> Noise:
        """Return the noise at a calibrated scale.

        Args:
            scale: α or σ at step 0: one number, or one for each node.
        """
        given: dict[str, Any] = {_scale_of(self.unit): self._schedule(scale)}
        return replace(self.unit, **given)

    def _schedule(self, scale: float | list[float]) -> Any:
        value = tuple(scale) if isinstance(scale, list) else scale
        if self.growth is None or self.growth == 1.0:
            return value
        return Geometric(value, 1.0 / self.growth if self.unit.law == Law.GAUSSIAN else self.growth)


def _scale_of(noise: Noise) -> str:
    return "sigma" if noise.law == Law.GAUSSIAN else "alpha"


def noise_to_json(noise: Noise | NoiseBudget | None, without_defaults: bool = False) -> JsonObject | None:
    """Convert a noise or a budget to a setting's noise section, in which α or σ imply the law.

    Args:
        without_defaults: Whether to leave out fields at their defaults, as in an id; the law is then kept.
    """
    if noise is None:
        return None
    known = noise if isinstance(noise, Noise) else noise.unit
    section = to_json(known, without_defaults)
    law = {"law": known.law.value} if isinstance(noise, NoiseBudget) or without_defaults else {}
    if without_defaults and known.law == Law.EXPONENTIAL_NORM:
        law = {}
    budget: JsonObject = {}
    if isinstance(noise, NoiseBudget):
        section.pop(_scale_of(known), None)
        budget = {each.name: to_json(getattr(noise, each.name)) for each in fields(noise) if each.name != "unit"}
        if noise.reference is not None:
            budget["total_bound"] = {SAME_AS: noise.reference}
    return {name: value for name, value in (law | budget | section).items() if _is_given(name, value)}


def _is_given(name: str, value: Any) -> bool:
    return value is not None and bool(value or name not in LEFT_OUT_AT_ZERO)


def noise_from_json(section: Json | None) -> Noise | NoiseBudget | None:
    """Build the noise or the budget that a setting's noise section describes; None for null.

    Args:
        section: Noise section as `noise_to_json` writes it, or as a validated config has it.
    """
    if section is None:
        return None
    given = {name: value for name, value in section.items() if _is_given(name, value)}
    budget = {name: given.pop(name) for name in BUDGET_FIELDS if name in given}
    law = given.pop("law", Law.EXPONENTIAL_NORM)
    if "total_bound" not in budget and "total_epsilon" not in budget:
        return from_json(NOISES, given)
    if isinstance(budget.get("total_bound"), dict):
        budget["total_bound"] = SameBound(budget["total_bound"][SAME_AS])
    if "draws" in budget:
        budget["draws"] = tuple(budget["draws"])
    unit = from_json(NOISES, {**given, "sigma" if law == Law.GAUSSIAN else "alpha": UNIT})
    return NoiseBudget(unit, **budget)


BUDGET_FIELDS = tuple(each.name for each in fields(NoiseBudget) if each.name != "unit")
