"""Effects, intervals and margins in the words and units of a reader."""

from radmm.results.claims.claim import ClaimCase
from radmm.results.claims.decision import Kind, in_units

UNITS = {Kind.ERROR: " points", Kind.LOSS: " %"}
MINUS = "−"


def effect_text(case: ClaimCase) -> str:
    """Return a case's effect with its interval, like `−0.62 points (−0.70 to −0.54)`."""
    value = number(case.kind, _shown(case, case.sample.mean))
    if case.kind is Kind.EXACT:
        return value
    return f"{value}{UNITS.get(case.kind, '')} ({interval_text(case, case.low, case.high)})"


def interval_text(case: ClaimCase, low: float, high: float) -> str:
    """Return an interval of a case's effect in the effect's unit."""
    return " to ".join(number(case.kind, _shown(case, end)) for end in (low, high))


def margin_text(case: ClaimCase) -> str:
    """Return the smallest effect that matters, in the effect's unit."""
    if case.kind is Kind.EXACT:
        return "–"
    if case.kind is Kind.ERROR:
        return f"{100 * case.margin:g} points"
    share = case.margin if case.kind is Kind.CHANGE else in_units(Kind.LOSS, case.margin) / 100
    limit = f" around {case.measured.reference:.3g}" if case.measured.reference != 1.0 else ""
    return f"{share:.3g} of the ratio{limit}" if case.kind is not Kind.LOSS else f"{100 * share:.3g} %"


def number(kind: Kind, value: float) -> str:
    """Format an effect: signed with two digits for points and per cent, else with three digits.

    Args:
        value: The effect in its unit.
    """
    text = f"{value:+.2f}" if kind in UNITS else f"{value:.3g}"
    return text.replace("-", MINUS).replace("inf", "∞")


def _shown(case: ClaimCase, effect: float) -> float:
    return in_units(case.kind, effect, case.measured.reference)
