"""What every ε rests on: once for tables and claims, and in captions with the totals themselves."""

from dataclasses import replace

import pandas as pd
import pytest

import radmm
from radmm.base.store import write_parquet
from radmm.data.topology import make_edges
from radmm.results.epsilon_conditions import conditions
from radmm.results.figures.captions import EXACT, caption, spent
from radmm.results.figures.figure import FIGURES
from tests.results.figures.example_experiments import ADMM, R_ADMM, material, noise, settings

RING = radmm.Network.from_edges(make_edges({"law": "ring", "nodes": 4}))
SHIFT = "epsilon_shift_delta_1e-05"
CAVEAT = "Not covered by ε: the maximum of one column was taken from the data."


def of(written, **totals):
    """An experiment's material, in which settings have a total by the default accountant, by label."""
    made = material(settings(written))
    rest = made.table[made.table["metric"] != SHIFT]
    last = rest[(rest["metric"] == "loss") & rest["label"].isin(totals)].drop_duplicates("setting")
    rows = last.assign(metric=SHIFT, mean=last["label"].map(totals))
    return replace(made, table=pd.concat([rest, rows], ignore_index=True))


def stored(noise, caveat=""):
    return {"setting": {"noise": noise}, "caveat": caveat}


def test_only_settings_with_noise_have_conditions(small, tmp_path):
    section = {"kind": "gradient", "sigma": 3.0, "cancelling": 1.0, "colluders": 1}
    built = radmm.GradientNoise(sigma=3.0, cancelling=1.0, colluders=1)
    ledger = radmm.ledger(small.problem, RING, radmm.DGD(), built, 5)
    write_parquet(tmp_path / "shared.parquet", dict(pd.DataFrame(ledger.columns()).items()), {})
    traces = {
        "none": stored(None, "Not covered by ε: what nobody releases with noise."),
        "plain": stored({"kind": "gradient", "sigma": 3.0}, CAVEAT),
        "again": stored({"kind": "gradient", "sigma": 4.0}, CAVEAT),
        "shared": stored(section),
    }
    assert conditions(traces, tmp_path) == [CAVEAT, f"Where noise cancels, ε holds {ledger.threat}."]
    assert conditions({"none": traces["none"]}, tmp_path) == []
    assert "at most one node tells what it knows" in ledger.threat


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ([2.00001], "2.001"),
        ([8.0, 2.0, 2.0], "2, 8"),
        ([1.0, 2.0, 3.0, 4.0, 5.5], "1 to 5.5"),
        ([8.0, None], "8 (one setting has no such bound)"),
        ([8.0, None, None], "8 (2 settings have no such bound)"),
    ],
)
def test_a_figure_tells_the_totals(totals, told):
    private = {f"R{place}": R_ADMM | noise(1.0 + place) for place in range(len(totals))}
    known = {label: total for label, total in zip(private, totals, strict=True) if total is not None}
    said = spent(of({"A": ADMM, **private}, **known))
    terms = (
        "for replacing one row, at δ = 1e-05 by the shift accountant, in exact arithmetic, taking each argmin as exact"
    )
    assert said == [f"Total ε of one run with noise: {told}, {terms}."]


def test_a_figure_without_noise_says_nothing_of_it():
    assert spent(of({"A": ADMM})) == []
    unknown = spent(of({"A": R_ADMM | noise()}))
    assert unknown == ["No total ε is known: the shift accountant has no proof for these releases."]


def test_a_caption_ends_with_the_conditions():
    said = caption(FIGURES["metric"](), of({"A": R_ADMM | noise()}, A=2.0), [CAVEAT])
    assert said[-2:] == [CAVEAT, EXACT]
    assert EXACT not in caption(FIGURES["metric"](), of({"A": ADMM}), [])
