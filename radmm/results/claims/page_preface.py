"""The beginning of the page of verdicts: how they came about, and how to read them."""

from radmm.results.claims.verdict import FEWEST_UNITS, Criteria

PREFACE = """\
# What the paper claims, and what came out

One verdict for each empirical claim of "Recycled ADMM" (Zhang, Khalili and Liu), told in our words.

![All claims: effects over margins](figures/claims.png)

How to read it:

- A claim has one case for each combination of parameters. A case's effect is a difference of test errors, or a ratio of
  losses, rates, spreads or times. A case shows *no difference* if the effect's interval lies within ± the margin; else
  it *holds* or *fails* if the interval is on one side of zero (of 1 for a ratio), and is *undecided* otherwise. A claim
  that nothing differs holds within the margin and fails outside.
- Margins are the same for all claims: {error:g} percentage points of test error, {loss:g} % of a loss, {ratio:g} % of a
  ratio. They were fixed before the replication was run. A number without an interval involves no chance.
- A claim *holds* if all its cases hold, *fails* if some fail and none holds, and is *mixed* if some hold and others
  fail or show no difference. One that says "always" or "best" fails by one failure; one that says "can" holds by one
  case. Where one clause tells the cases that hold from the others, it is told as *holds only if*.
- **Replication.** The unit is a pair of a split and a graph, with initial points and noise of its own; a case's effect
  in a pair is that over its runs, and its interval is Student's over the pairs. Numbers of pairs at which to look were
  fixed beforehand. Intervals have the level 1 − {alpha:g}/(looks × cases), so that with {level:.0%} none of a claim's
  outcomes is wrong at any look. A case gets no more pairs once it is decided.
- Splits of one data set share rows: two training sets of 40,000 of Adult's 45,222 rows have 88 % of their rows in
  common. A verdict is thus about other splits and graphs of this data set. The *corrected interval* (Nadeau and Bengio
  2003), in square brackets, widens for that, and says more about new rows from the same source.
- The table has one verdict for each data set, in the order of its first column. A claim counts once.
- **This run.** Without a replication of its settings, a verdict rests on the run at hand: one split, one graph, and its
  runs as units, by the jackknife and Student's t. It then tells what other initial points and noise would give. Fewer
  than {fewest} units decide nothing.
- The effect shown for a claim is that of its median case, of test error where the claim is about it.
- Claims that we added are marked *ours*: the paper doesn't make them.
"""


def preface(criteria: Criteria) -> str:
    """Return the page's beginning."""
    margins = criteria.margins
    return PREFACE.format(
        error=100 * margins["test_error"],
        loss=100 * margins["loss"],
        ratio=100 * margins["ratio"],
        alpha=round(1 - criteria.level, 10),
        level=criteria.level,
        fewest=FEWEST_UNITS,
    ).removesuffix("\n")
