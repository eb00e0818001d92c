"""What recycling buys: in words no stronger than the outcomes, and in a figure."""

import pandas as pd
import pytest

from radmm.results.figures.recycling import draw
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
        "At equal P(T), η tuned: N = 5, R-ADMM is 1.00 points better than ADMM with T iterations and not told (−0.20 "
        "points) from ADMM that stops at T/2: stopping early has 80 % of the gain."
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


def test_the_figure_has_a_panel_for_each_cell_and_axis():
    both = pd.concat([TABLE, TABLE.assign(cell="N = 20")])
    figure = draw(both, 0.002)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [
        "(a) N = 5, equal P(T)",
        "(b) N = 5, equal (ε, δ)",
        "(c) N = 20, equal P(T)",
        "(d) N = 20, equal (ε, δ)",
    ]
    drawn = figure.axes[0].containers[0].lines[0]
    assert drawn.get_xdata() == pytest.approx([-1.0, -0.2])
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["smaller than the margin", "η tuned", "η of the paper"]
