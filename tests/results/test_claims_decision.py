"""What an interval shows: the rule of margins, against a plain reading of its sentences."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from radmm.results.claims.decision import Claimed, Kind, Outcome, decide, in_units, margin_of
from radmm.results.claims.wording import number

MARGINS = {"test_error": 0.002, "loss": 0.02, "ratio": 0.1}
ENDS = st.floats(-3, 3).map(lambda value: round(value, 3))
INTERVALS = st.tuples(ENDS, ENDS).map(sorted)
DIRECTED = st.sampled_from([Claimed.LESS, Claimed.MORE, Claimed.SAME, Claimed.NOT_LESS, Claimed.NOT_MORE])


def as_written(claimed, low, high, margin):
    """The rule on a fine grid of effects that the interval leaves possible."""
    possible = np.linspace(low, high, 101)
    sign = {Claimed.LESS: -1, Claimed.NOT_MORE: -1}.get(claimed, 1)
    supporting = sign * possible
    small = bool((np.abs(possible) <= margin).all())
    if claimed in (Claimed.LESS, Claimed.MORE):
        if small:
            return Outcome.NO_DIFFERENCE
        return (
            Outcome.HOLDS if (supporting > 0).all() else Outcome.FAILS if (supporting < 0).all() else Outcome.UNDECIDED
        )
    if claimed is Claimed.SAME:
        outside = (possible > margin).all() or (possible < -margin).all()
        return Outcome.HOLDS if small else Outcome.FAILS if outside else Outcome.UNDECIDED
    if (supporting >= -margin).all():
        return Outcome.HOLDS
    return Outcome.FAILS if (supporting < -margin).all() else Outcome.UNDECIDED


@given(DIRECTED, INTERVALS, st.floats(0.01, 2))
def test_the_rule_is_as_it_is_written(claimed, interval, margin):
    low, high = interval
    assume(all(abs(abs(end) - margin) > 1e-9 for end in interval))  # an end on the margin is a matter of rounding
    assert decide(claimed, low, high, margin) is as_written(claimed, low, high, margin)


@given(DIRECTED, INTERVALS, INTERVALS, st.floats(0.01, 2))
def test_more_data_never_turn_an_outcome_into_its_contrary(claimed, inner, outer, margin):
    low, high = max(inner[0], outer[0]), min(inner[1], outer[1])
    assume(low <= high)
    pair = {decide(claimed, *outer, margin), decide(claimed, low, high, margin)}
    assert pair != {Outcome.HOLDS, Outcome.FAILS}
    if decide(claimed, *outer, margin) is Outcome.NO_DIFFERENCE:
        assert decide(claimed, low, high, margin) is Outcome.NO_DIFFERENCE


@given(INTERVALS, st.floats(0.01, 2))
def test_the_contrary_claim_has_the_contrary_outcome(interval, margin):
    swapped = {Outcome.HOLDS: Outcome.FAILS, Outcome.FAILS: Outcome.HOLDS}
    less, more = (decide(claimed, *interval, margin) for claimed in (Claimed.LESS, Claimed.MORE))
    assert swapped.get(less, less) is more


@pytest.mark.parametrize(
    ("claimed", "low", "high", "outcome"),
    [
        (Claimed.LESS, -0.003, -0.001, "holds"),
        (Claimed.LESS, -0.0019, -0.001, "no difference"),
        (Claimed.LESS, -0.0019, 0.001, "no difference"),
        (Claimed.LESS, -0.003, 0.001, "undecided"),
        (Claimed.LESS, -0.003, -1e-17, "undecided"),
        (Claimed.MORE, -0.004, -0.003, "fails"),
        (Claimed.SAME, 0.001, 0.003, "undecided"),
        (Claimed.SAME, 0.0021, 0.003, "fails"),
        (Claimed.NOT_LESS, -0.001, 9.0, "holds"),
        (Claimed.NOT_LESS, -0.01, -0.003, "fails"),
    ],
)
def test_examples(claimed, low, high, outcome):
    assert decide(claimed, low, high, 0.002) == outcome


@pytest.mark.parametrize(
    ("claimed", "value", "outcome"),
    [
        (Claimed.LESS, -1e-6, "holds"),
        (Claimed.LESS, 0.0, "no difference"),
        (Claimed.LESS, 1e-6, "fails"),
        (Claimed.SAME, 0.0, "holds"),
        (Claimed.SAME, 1.0, "fails"),
        (Claimed.NOT_MORE, 0.0, "holds"),
        (Claimed.NOT_MORE, 0.1, "fails"),
        (Claimed.HAPPENS, 0.0, "fails"),
        (Claimed.HAPPENS, 3.0, "holds"),
    ],
)
def test_exact_numbers_need_no_margin(claimed, value, outcome):
    assert margin_of(Kind.EXACT, MARGINS) == 0
    assert decide(claimed, value, value, 0.0) == outcome


def test_margins_are_in_the_unit_of_the_effect():
    assert margin_of(Kind.ERROR, MARGINS) == 0.002
    assert np.exp(margin_of(Kind.LOSS, MARGINS)) == pytest.approx(1.02)
    assert np.exp(margin_of(Kind.RATIO, MARGINS)) == pytest.approx(1.1)
    assert margin_of(Kind.CHANGE, MARGINS) == 0.1


def test_effects_are_shown_as_people_read_them():
    assert in_units(Kind.ERROR, -0.0062) == pytest.approx(-0.62)
    assert in_units(Kind.LOSS, np.log(0.96)) == pytest.approx(-4)
    assert in_units(Kind.RATIO, np.log(0.81), 2 / 3) == pytest.approx(0.54)
    assert in_units(Kind.CHANGE, -0.3) == pytest.approx(0.7)
    assert in_units(Kind.EXACT, 3.0) == 3
    assert (number(Kind.ERROR, -0.617), number(Kind.RATIO, 0.54321)) == ("−0.62", "0.543")
