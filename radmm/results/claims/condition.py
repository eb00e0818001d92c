"""When a claim holds: the shortest sentence that tells the cases that hold from the others."""

from collections.abc import Sequence
from typing import Any

from radmm.results.claims.claim import Case, Outcome
from radmm.results.claims.evidence import name_of

ALWAYS, NEVER = "", "never"


def condition(cases: Sequence[Case]) -> str:
    """A decision tree over the cases' axes in words; empty if all hold."""
    return _describe(cases, list(cases[0].at), {axis: _values(cases, axis) for axis in cases[0].at})


def _describe(cases: Sequence[Case], axes: list[str], tested: dict[str, list[Any]]) -> str:
    holds = [case.outcome is Outcome.HOLDS for case in cases]
    if all(holds):
        return ALWAYS
    if not any(holds):
        return NEVER
    return min((_branches(cases, axis, axes, tested) for axis in axes), key=len)


def _branches(cases: Sequence[Case], axis: str, axes: list[str], tested: dict[str, list[Any]]) -> str:
    """Split along an axis; values with the same condition for the rest are told in one go."""
    rest = [other for other in axes if other != axis]
    groups: dict[str, list[Any]] = {}
    for value in _values(cases, axis):
        inner = _describe([case for case in cases if case.at[axis] == value], rest, tested)
        groups.setdefault(inner, []).append(value)
    if len(groups) == 1:
        return next(iter(groups))
    if len(groups) == 2 and ALWAYS in groups and NEVER not in groups:
        (inner,) = set(groups) - {ALWAYS}  # it may as well be asked of all values
        return f"{_among(axis, groups[ALWAYS], tested[axis])}, or {inner}"
    parts = []
    for inner, values in groups.items():
        if inner != NEVER:
            inner = f"({inner})" if " or " in inner else inner
            parts.append(" and ".join(filter(None, [_among(axis, values, tested[axis]), inner])))
    return ", or ".join(parts)


def _values(cases: Sequence[Case], axis: str) -> list[Any]:
    found: list[Any] = []
    for case in cases:
        if case.at[axis] not in found:
            found.append(case.at[axis])
    return sorted(found) if _are_numbers(found) else found


def _among(axis: str, values: list[Any], tested: list[Any]) -> str:
    """`γ ≤ 2` where the values are the first of those tested, `α = 1` for one, a list otherwise."""
    if len(values) > 1 and _are_numbers(tested):
        if values == tested[: len(values)]:
            return f"{axis} ≤ {values[-1]:g}"
        if values == tested[-len(values) :]:
            return f"{axis} ≥ {values[0]:g}"
    listed = [name_of(value) for value in values]
    return f"{axis} = {listed[0]}" if len(listed) == 1 else f"{axis} in {{{', '.join(listed)}}}"


def _are_numbers(values: list[Any]) -> bool:
    return all(isinstance(value, int | float) for value in values)
