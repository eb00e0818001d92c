"""The audit as a step of the workflow: its table, its figure, and that a bound that falls fails it."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import radmm
from radmm.jobs.steps import audit as step
from radmm.results.audit import extension_cases, paper_cases, transcripts
from radmm.results.audit.transcripts import draw_projected
from radmm.results.figures import audit as audit_figure
from radmm.results.figures.palette import ACCOUNTANTS
from radmm.study.config import AuditSection

COLUMNS = [
    "audit", "case", "neighbours", "algorithm", "loss", "mechanism", "law", "direction", "d", "B", "C", "alpha",
    "sigma", "x", "K", "samples", "quantity", "accountant", "epsilon", "delta", "bound", "estimate", "low", "high",
    "could_show", "tightness", "verdict", "panel",
]  # fmt: skip
SIZES = {"samples": 2000, "runs": 400, "canaries": 200}


@pytest.fixture
def few(monkeypatch):
    """Some of the cases, among them two panels."""
    chosen = {"held": slice(0, 2), "releases": slice(0, 2), "transcripts": slice(2, 3), "panels": slice(2, 4)}
    chosen["attacks"] = slice(0, 1)
    chosen |= {"held_hinges": slice(0, 1), "sampled": slice(1, 2)}
    for name, part in chosen.items():
        made = getattr(paper_cases if hasattr(paper_cases, name) else extension_cases, name)()[part]
        monkeypatch.setattr(step, name, lambda made=made: made)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def outputs(folder):
    return {"parquet": folder / "audit.parquet", "csv": folder / "audit.csv"}


@pytest.mark.usefixtures("few")
def test_table_and_figure(tmp_path):
    step.audit(AuditSection(**SIZES), code="x", **outputs(tmp_path))
    table = pd.read_parquet(tmp_path / "audit.parquet")
    assert list(table.columns) == COLUMNS
    assert set(table["verdict"]) == {"stands", ""}
    assert set(table["audit"]) == {"quadrature", "exact", "black-box", "one-run"}
    assert (table["could_show"] >= 0).equals(table["audit"] == "one-run")
    assert set(table["neighbours"]) == {"replace", "zero-out"}
    assert {"paper", "pure", "optimal-pure", "renyi", "pld", "shift"} <= set(table["accountant"])
    assert 0.97 < table.loc[table["accountant"] == "shift", "tightness"].max() <= 1
    assert set(table.loc[table["panel"] != "", "samples"]) == {10_000}
    np.testing.assert_allclose(pd.read_csv(tmp_path / "audit.csv")["estimate"], table["estimate"], rtol=1e-12)
    first = (tmp_path / "audit.parquet").read_bytes()
    step.audit(AuditSection(**SIZES), code="x", **outputs(tmp_path))
    assert (tmp_path / "audit.parquet").read_bytes() == first
    for name in ("one", "two"):
        audit_figure.figure(tmp_path / "audit.parquet", tmp_path / f"{name}.pdf", tmp_path / f"{name}.png")
    for kind in ("pdf", "png"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    drawn = audit_figure.draw(table)
    titles = [axes.get_title(loc="left") for axes in drawn.axes if axes.get_title(loc="left")]
    closest = [part.loc[part["accountant"] == "shift", "tightness"].max() for _, part in table.groupby("panel")][1:]
    assert titles == [
        f"({letter}) {kind} noise, α = 1\nworst case found / bound = {found:.2f}"
        for letter, kind, found in zip("ab", ("objective", "penalty"), closest, strict=True)
    ]
    caption = " ".join(audit_figure.caption(table))
    assert "10,000 transcripts" in caption
    assert "one record replaced" in caption
    shown = {text.get_text() for text in drawn.legends[0].get_texts()}
    assert {ACCOUNTANTS[name].title for name in ("shift", "pld", "renyi", "optimal-pure")} <= shown


@pytest.mark.usefixtures("few")
def test_a_bound_that_falls_fails_the_step(tmp_path, monkeypatch):
    """Half of the noise is drawn, by the solver and in the audit's own transcripts."""

    def draw_half(*args):
        inside, outside = draw_projected(*args)
        return inside / 2, outside / 4

    real = radmm.privacy.noise.draw_noise
    monkeypatch.setattr(transcripts, "draw_projected", draw_half)
    monkeypatch.setattr(radmm.privacy.noise, "draw_noise", lambda *args: real(*args) / 2)
    with pytest.raises(SystemExit) as ended:
        step.audit(AuditSection(**SIZES | {"runs": 3000}), code="x", **outputs(tmp_path))
    assert str(ended.value).startswith("error: ")
    assert "more bounds fall" in str(ended.value)
    table = pd.read_parquet(tmp_path / "audit.parquet")
    fallen = table[table["verdict"] == "falls"]
    assert set(fallen["audit"]) == {"exact", "black-box"}
