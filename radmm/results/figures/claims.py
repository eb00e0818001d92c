"""Forest plot of all claims: one row a claim, effects in units of the smallest effect that matters."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

import seaborn as sns
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from radmm.results.claims.bodies import ClaimReport
from radmm.results.claims.claim import ClaimCase
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.verdict import ClaimVerdict, Word
from radmm.results.figures.style import TEXT_WIDTH, legend_above, new_figure

COLORS = {
    Word.HOLDS: "#009E73",
    Word.NO_DIFFERENCE: "#56B4E9",
    Word.MIXED: "#E69F00",
    Word.FAILS: "#D55E00",
    Word.UNDECIDED: "#999999",
    Word.NOT_TESTED: "#CCCCCC",
}
MARKERS = "os^Dv"
ROW, LEGEND = 0.27, 1.3  # inches
LETTERS = 78  # in a line of a claim's text
LINEAR = 2.0  # margins, within which the axis is linear
FARTHEST = 1e3  # margins, at which longer intervals are cut
OPPOSITE = {Claimed.LESS, Claimed.NOT_MORE}  # a negative effect speaks for these
RIGHT = "as claimed →"


def draw(reports: Sequence[ClaimReport]) -> Figure:
    """Draw all claims below each other; right of the band the claimed direction, left of it the contrary.

    Args:
        reports: Claims with their evidence.
    """
    data = list(dict.fromkeys(body.data for report in reports for body in report.bodies))
    figure = new_figure(TEXT_WIDTH, ROW * len(reports) + LEGEND)
    axes = figure.add_subplot()
    axes.axvspan(-1, 1, color="0.92", zorder=0)
    axes.axvline(0, color="0.5", linewidth=0.6, zorder=1)
    for row, report in enumerate(reports):
        for place, body in enumerate(report.bodies):
            height = row + 0.22 * (place - (len(report.bodies) - 1) / 2)
            _claim(axes, height, report.verdict_on(body), MARKERS[data.index(body.data) % len(MARKERS)])
    axes.set_xscale("symlog", linthresh=LINEAR)
    axes.set_xlim(-FARTHEST, FARTHEST)
    axes.set_ylim(len(reports) - 0.5, -0.5)
    texts = [("(ours) " if report.claim.is_ours else "") + report.claim.says for report in reports]
    axes.set_yticks(range(len(reports)), [fill(text, LETTERS) for text in texts], fontsize=5)
    axes.set_xlabel(f"effect in margins: ← the contrary | {RIGHT}", fontsize=7)
    axes.tick_params(axis="x", labelsize=6)
    axes.grid(False, axis="y")
    legend_above(figure, _handles(data), "", columns=5)
    sns.despine(figure)
    return figure


def _claim(axes: Axes, height: float, verdict: ClaimVerdict, marker: str) -> None:
    """Draw a claim's cases as small ticks, and the median one with its interval; exact numbers have no margin."""
    color, typical = COLORS[verdict.word], verdict.typical
    cases = [case for case in verdict.cases if case.kind is not Kind.EXACT]
    for case in cases:
        axes.plot(_clipped(_oriented(case)[1]), height, "|", color=color, markersize=4, alpha=0.5, zorder=2)
    if typical is None or typical.kind is Kind.EXACT:
        said = f"exact: {verdict.word}" if typical else str(verdict.word)
        axes.text(0, height, said, color=color, fontsize=5, ha="center", va="center")
        return
    low, value, high = map(_clipped, _oriented(typical))
    axes.plot([low, high], [height, height], color=color, linewidth=1.4, zorder=3)
    axes.plot(value, height, marker, color=color, markersize=4, zorder=4)


def _oriented(case: ClaimCase) -> tuple[float, float, float]:
    """Return interval and effect in margins, turned so that positive is what the claim says."""
    low, value, high = (end / case.margin for end in (case.low, case.sample.mean, case.high))
    return (-high, -value, -low) if case.measured.claimed in OPPOSITE else (low, value, high)


def _clipped(value: float) -> float:
    return min(max(value, -FARTHEST), FARTHEST)


def _handles(data: Sequence[str]) -> dict[str, Artist]:
    words: dict[str, Artist] = {
        str(word): Line2D([], [], color=color, linewidth=2)
        for word, color in COLORS.items()
        if word is not Word.NOT_TESTED
    }
    sets: dict[str, Artist] = {
        f"median case, {name}": Line2D([], [], color="0.3", marker=MARKERS[place % len(MARKERS)], linewidth=1.4)
        for place, name in enumerate(data)
    }
    other: dict[str, Artist] = {
        "other cases": Line2D([], [], color="0.3", marker="|", linestyle=""),
        "smaller than the margin": Patch(color="0.92"),
    }
    return words | sets | other
