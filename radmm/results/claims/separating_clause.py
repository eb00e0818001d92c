"""Conditions of mixed claims: a clause that separates the cases that hold from those that don't, if there is one."""

from collections.abc import Sequence
from typing import Any

from radmm.results.claims.claim import CaseParameters, ClaimCase
from radmm.results.claims.decision import Outcome
from radmm.results.claims.evidence import name_of

FEWEST_VALUES = 3  # on an axis of numbers: a limit between two values only names points of the grid


def condition(cases: Sequence[ClaimCase]) -> str:
    """Return the first clause on one axis that all cases which hold meet and no other decided one; empty if none does.

    Args:
        cases: Cases of a claim; undecided ones don't count.
    """
    held = [case.at for case in cases if case.outcome is Outcome.HOLDS]
    failed = [case.at for case in cases if case.outcome in (Outcome.FAILS, Outcome.NO_DIFFERENCE)]
    for axis in cases[0].at:
        is_ordered = _are_numbers([case.at[axis] for case in cases])
        values = [_values(points, axis) for points in ([case.at for case in cases], held, failed)]
        clause = _limit(axis, *values) if is_ordered else _name(axis, *values[1:])
        if clause:
            return clause
    return ""


def _limit(axis: str, tested: list[Any], held: list[Any], failed: list[Any]) -> str:
    """Return a clause like `γ ≤ 2`, if all values that hold are below all that fail, or the other way round."""
    if len(tested) < FEWEST_VALUES:
        return ""
    if max(held) < min(failed):
        return f"{axis} ≤ {max(held):g}"
    return f"{axis} ≥ {min(held):g}" if min(held) > max(failed) else ""


def _name(axis: str, held: list[Any], failed: list[Any]) -> str:
    """Return a clause like `over = ADMM`, for values that are neither numbers nor steps between numbers."""
    if len(held) > 1 or held[0] in failed or _names_a_point(held[0]):
        return ""
    return f"{axis} = {name_of(held[0])}"


def _names_a_point(value: Any) -> bool:
    return not isinstance(value, str) or any(character.isdigit() for character in value)


def _values(points: Sequence[CaseParameters], axis: str) -> list[Any]:
    found: list[Any] = []
    for point in points:
        if point[axis] not in found:
            found.append(point[axis])
    return found


def _are_numbers(values: list[Any]) -> bool:
    return all(isinstance(value, int | float) for value in values)
