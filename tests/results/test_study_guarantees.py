"""What the budgets of tuned studies and replications are good for, in each row of their tables."""

import numpy as np
import pandas as pd

from radmm.privacy.cancelling_noise import threat
from radmm.results.epsilon_terms import NOT_COVERED
from radmm.results.frontier.guarantees import assumed, budget_guarantees, tuned_guarantees

RESTS_ON = ["in exact arithmetic", "taking each argmin as exact unless the noise has a repair"]


def test_what_features_took_from_the_data_is_a_condition():
    groups = [{"candidates": {"a": {"data": name}, "b": {"data": name}}} for name in ("adult", "synthetic")]
    covered = "Not covered by ε: the maxima of 6 columns and which rows are complete were taken from the data"
    assert assumed(groups) == [*RESTS_ON, covered]


def test_tuned_methods_say_what_they_spend():
    table = pd.DataFrame(
        {
            "method": ["A", "B", "free"],
            "neighbours": ["replace", "zero-out", "replace"],
            "spent": [0.99991, 0.5, np.inf],
        }
    )
    first, second, free = tuned_guarantees(table, 1e-6, RESTS_ON, {"B": threat(1)})
    assert first == (
        "ε ≤ 1 in total at δ = 1e-06, for replacing one row, by the shift accountant on every network of the study "
        f"({'; '.join(RESTS_ON)})"
    )
    assert second.startswith("ε ≤ 0.5 in total at δ = 1e-06, for zeroing out one row")
    assert second.endswith(f"; {threat(1)})")
    assert free == NOT_COVERED


def test_replications_say_what_is_equal():
    table = pd.DataFrame(
        {"axis": ["P(T)", "ε", "no noise"], "budget": [13.0, 1.0, 0.0], "left": ["A"] * 3, "right": ["B"] * 3}
    )
    bound, total, free = budget_guarantees(table, RESTS_ON, {"B": threat(1)})
    assert bound.startswith("ε ≤ 13 in total at δ = 0, for replacing one row, by the paper accountant")
    assert total.startswith("ε ≤ 1 in total at δ = 1e-05, for replacing one row, by the shift accountant")
    assert all(text.endswith(f"; {threat(1)})") for text in (bound, total))
    assert free == NOT_COVERED
