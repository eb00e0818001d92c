"""Forest plot of all claims by topic: one row a claim, effects in units of the smallest effect that matters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import seaborn as sns
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from radmm.results.claims.bodies_of_evidence import ClaimReport
from radmm.results.claims.claim import ClaimCase, Topic
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.verdict import ClaimVerdict, Word
from radmm.results.figures.style import TEXT_WIDTH, legend_above, new_figure

COLORS = {
    Word.HOLDS: "#009E73",
    Word.MIXED: "#E69F00",
    Word.NO_DIFFERENCE: "#56B4E9",
    Word.FAILS: "#D55E00",
    Word.UNDECIDED: "#999999",
    Word.NOT_TESTED: "#DDDDDD",
}
SIGNS = {Word.HOLDS: "✓", Word.MIXED: "±", Word.NO_DIFFERENCE: "=", Word.FAILS: "✗", Word.UNDECIDED: "?"}
MARKERS = "os^Dv"
ROW, LEGEND = 0.25, 1.2  # inches
APART = 0.24  # rows between two data sets of a claim
EFFECTS, EDGE, COLUMN = 8.0, 0.5, 0.5  # widths of the panel of effects, and of the verdicts and each of their columns
LINEAR = 2.0  # margins, within which the axis is linear
FARTHEST = 300.0  # margins, at which longer intervals are cut
OPPOSITE = {Claimed.LESS, Claimed.NOT_MORE}  # a negative effect speaks for these
TICKS = (-100, -10, -1, 0, 1, 10, 100)


def draw(reports: Sequence[ClaimReport]) -> Figure:
    """Draw all claims below each other, by topic, with effects on the left and a column of verdicts for each data set.

    Right of the band is the claimed direction, left of it the contrary. A claim that nothing differs, marked ≈, holds
    within the band.
    """
    data = list(dict.fromkeys(body.title for report in reports for body in report.bodies))
    rows = _rows(reports)
    figure = new_figure(TEXT_WIDTH, ROW * len(rows) + LEGEND)
    columns = figure.add_gridspec(1, 2, width_ratios=(EFFECTS, EDGE + COLUMN * len(data)))
    effects, verdicts = (figure.add_subplot(columns[place]) for place in range(2))
    effects.axvspan(-1, 1, color="0.92", zorder=0)
    effects.axvline(0, color="0.5", linewidth=0.6, zorder=1)
    for row, report in enumerate(rows):
        if isinstance(report, Topic):
            continue
        for place, body in enumerate(report.bodies):
            column, verdict = data.index(body.title), report.verdict_on(body)
            height = row + APART * (place - (len(report.bodies) - 1) / 2)
            _effect(effects, height, verdict, MARKERS[column % len(MARKERS)])
            _verdict(verdicts, row, column, verdict.word)
    _arrange_effects(effects, rows)
    _arrange_verdicts(verdicts, data, len(rows))
    legend_above(figure, _handles(data, reports), "", columns=3)
    sns.despine(effects.figure)
    verdicts.spines[:].set_visible(False)
    return figure


def _rows(reports: Sequence[ClaimReport]) -> list[Topic | ClaimReport]:
    """Return what each row shows: the heading of a topic, or a claim below it."""
    rows: list[Topic | ClaimReport] = []
    for topic, claims in groupby(reports, lambda report: report.claim.topic):
        rows += [topic, *claims]
    return rows


def _effect(axes: Axes, height: float, verdict: ClaimVerdict, marker: str) -> None:
    """Draw the range of a claim's cases, and the median one with its interval; exact numbers have no margin."""
    color, typical = COLORS[verdict.word], verdict.typical
    values = [_clipped(_oriented(case)[1]) for case in verdict.cases if case.kind is not Kind.EXACT]
    if typical is None or typical.kind is Kind.EXACT:
        return
    axes.plot([min(values), max(values)], [height, height], color=color, linewidth=0.7, alpha=0.6, zorder=2)
    low, value, high = map(_clipped, _oriented(typical))
    axes.plot([low, high], [height, height], color=color, linewidth=2.2, zorder=3)
    axes.plot(value, height, marker, color=color, markersize=4, markeredgecolor="white", markeredgewidth=0.4, zorder=4)


def _verdict(axes: Axes, row: int, column: int, word: Word) -> None:
    axes.add_patch(Rectangle((column - 0.42, row - 0.4), 0.84, 0.8, color=COLORS[word], linewidth=0))
    sign = SIGNS.get(word, "")
    axes.text(column, row, sign, color="white", fontsize=8, weight="bold", ha="center", va="center_baseline")


def _arrange_effects(axes: Axes, rows: Sequence[Topic | ClaimReport]) -> None:
    axes.set_xscale("symlog", linthresh=LINEAR)
    axes.set_xlim(-FARTHEST, FARTHEST)
    axes.set_xticks(TICKS, [str(tick).replace("-", "−") for tick in TICKS])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    names = [row if isinstance(row, Topic) else _named(row) for row in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=7)
    for row, label in zip(rows, axes.get_yticklabels(), strict=True):
        label.set_fontweight("bold" if isinstance(row, Topic) else "normal")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("← against the claim      effect / smallest effect that matters      as claimed →", fontsize=7)
    axes.tick_params(axis="x", labelsize=7)
    axes.grid(False, axis="y")


def _arrange_verdicts(axes: Axes, data: Sequence[str], rows: int) -> None:
    axes.set_xlim(-0.5, len(data) - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xticks(range(len(data)), data, fontsize=7, rotation=45)
    axes.set_yticks([])
    axes.tick_params(length=0)
    axes.grid(False)


def _named(report: ClaimReport) -> str:
    """Return a claim's title; one that we added has a star, one that says that nothing differs a sign of its own."""
    claimed = {case.measured.claimed for case in report.verdict.cases if case.kind is not Kind.EXACT}
    same = "≈ " if claimed and claimed <= {Claimed.SAME, Claimed.NOT_LESS, Claimed.NOT_MORE} else ""
    return f"{same}{report.claim.title}{' *' if report.claim.is_ours else ''}"


def _oriented(case: ClaimCase) -> tuple[float, float, float]:
    """Return interval and effect in margins, turned so that positive is what the claim says."""
    low, value, high = (end / case.margin for end in (case.low, case.sample.mean, case.high))
    return (-high, -value, -low) if case.measured.claimed in OPPOSITE else (low, value, high)


def _clipped(value: float) -> float:
    return min(max(value, -FARTHEST), FARTHEST)


def _handles(data: Sequence[str], reports: Sequence[ClaimReport]) -> dict[str, Artist]:
    found = {word for report in reports for word in report.words.values()}
    words: dict[str, Artist] = {
        f"{SIGNS.get(word, '')} {word}".strip(): Patch(color=color) for word, color in COLORS.items() if word in found
    }
    sets: dict[str, Artist] = {
        f"{name}, median case": Line2D([], [], color="0.3", marker=MARKERS[place % len(MARKERS)], linewidth=2.2)
        for place, name in enumerate(data)
    }
    other: dict[str, Artist] = {
        "all cases": Line2D([], [], color="0.3", linewidth=0.7),
        "too small to matter": Patch(color="0.92"),
    }
    return words | sets | other
