"""What recycling buys with η tuned: in words no stronger than the outcomes."""

import pandas as pd

from radmm.results.frontier.recycling import against_rivals, section, sentences
from radmm.results.frontier.replication import PUBLISHED, TUNED


def row(right, difference, outcome, axis="P(T)", kind=TUNED, cell="N = 5", **more):
    told = {"cell": cell, "axis": axis, "kind": kind, "left": "R-ADMM", "right": right, "metric": "error_rate"}
    ends = {"difference": difference, "low": difference - 0.001, "high": difference + 0.001}
    return told | ends | {"outcome": outcome} | more


TABLE = pd.DataFrame(
    [
        row("ADMM", -0.010, "holds"),
        row("ADMM, stopped at T/2", -0.002, "undecided"),
        row("ADMM", -0.010, "holds", kind=PUBLISHED),
        row("ADMM, stopped at T/2", 0.005, "fails", kind=PUBLISHED),
        row("ADMM", 0.0005, "no difference", axis="ε"),
        row("ADMM, stopped at T/2", -0.0004, "no difference", axis="ε"),
        row("ADMM", -0.5, "holds", axis="no noise"),
        row("ADMM", -0.5, "holds", metric="loss"),
        row("M-ADMM", -0.5, "holds"),
    ]
)


def test_stopping_has_what_is_left_of_the_gain():
    tuned, published, epsilon = sentences(TABLE)
    assert tuned == (
        "At equal P(T), η tuned: N = 5, R-ADMM is 1.00 points better than ADMM with T iterations and not "
        "distinguishable (−0.20 points) from ADMM that stops at T/2: stopping early has 80 % of the gain."
    )
    assert published.endswith("0.50 points worse than ADMM that stops at T/2: stopping early has 150 % of the gain.")
    assert epsilon == (
        "At equal (ε, δ), η tuned: N = 5, R-ADMM is no different from ADMM with T iterations and no different from "
        "ADMM that stops at T/2."
    )


def test_only_error_rates_at_equal_budgets_are_shown():
    assert len(against_rivals(TABLE)) == 6
    assert section(TABLE).startswith("\n## What recycling buys\n\nAt equal P(T)")
    assert section(TABLE[TABLE["right"] == "M-ADMM"]) == ""
