"""What the report is made of: few enough bytes, the numbers of the traces, and sentences that say what was found."""

import base64
import hashlib
import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from radmm.__main__ import main
from radmm.privacy.guarantee import rounded_up
from radmm.results.claims.tally import tally
from radmm.results.figures.palette import ACCOUNTANTS, ALGORITHMS
from radmm.results.frontier.lookup import read_table
from radmm.results.report import recommended
from radmm.results.report.content import LIMIT, solver_seconds
from radmm.results.report.display_names import metric_names, total_names
from radmm.results.report.headline import headline
from radmm.results.report.overview import run_counts
from radmm.results.report.packing import BYTES, Curves, kept, pack_all
from radmm.results.report.page import FOLDER, PLOTLY, PROGRAMS, as_script, make_page
from radmm.results.report.plotly_styles import SYMBOLS, accountants, looks_of_methods
from radmm.results.report.recommended import recommendations
from radmm.results.report.replicated import replicated_pages
from radmm.results.report.tuned import tuned_pages
from tests.results.report.made_pages import made_replication, made_study

SHIFT = "epsilon_shift_delta_1e-05"


def unpack(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def made(runs=10, length=51, seed=0):
    metrics = ("loss", "error_rate", "loss_average", "error_rate_average", "consensus", "distance")
    rng = np.random.default_rng(seed)
    return Curves(
        length, {name: rng.random((runs, length)) for name in metrics} | {"privacy_loss": np.ones((runs, length))}
    )


def test_curves_come_back_as_they_were():
    curves = made()
    packed = pack_all({"one": curves}, 1e6)["one"]
    loss = curves.metrics["loss"]
    assert packed["at"] == packed["at_single"] == 51
    for statistic in ("mean", "min", "max"):
        expected = getattr(loss, statistic)(axis=0)
        np.testing.assert_allclose(unpack(packed["statistics"]["loss"][statistic]), expected, rtol=1e-6)
    np.testing.assert_allclose(unpack(packed["runs"]["loss"]).reshape(loss.shape), loss, rtol=1e-6)
    assert list(packed["statistics"]["privacy_loss"]) == ["mean"]  # no run differs from another
    assert "privacy_loss" not in packed["runs"]


def test_a_bound_is_never_packed_below_itself():
    bound = np.sort(np.random.default_rng(0).random((1, 51)))
    packed = unpack(
        pack_all({"one": Curves(51, {"privacy_loss": bound})}, 1e6)["one"]["statistics"]["privacy_loss"]["mean"]
    )
    assert np.all(packed >= bound[0])
    np.testing.assert_allclose(packed, bound[0], rtol=2e-7)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no JavaScript here")
def test_the_page_rounds_up_as_python_does():
    values = [*np.exp(np.random.default_rng(0).uniform(-9.0, 9.0, 500)).tolist(), 0.0, 0.1, 1000.0, 9.9999, 12.81]
    script = f"{(FOLDER / 'elements.js').read_text()}; console.log(JSON.stringify({values}.map(roundedUp)))"
    shown = json.loads(subprocess.run(["node", "-e", script], capture_output=True, check=True).stdout)
    assert [float(each) for each in shown] == [float(rounded_up(value)) for value in values]


def test_runs_that_ended_have_no_number():
    trace = pd.DataFrame({"run": [0, 0, 1], "iteration": [0, 1, 0], "loss": [1.0, 2.0, 3.0]})
    packed = pack_all({"one": Curves.of(trace)}, 1e6)["one"]
    np.testing.assert_array_equal(unpack(packed["statistics"]["loss"]["mean"]), [2.0, 2.0])
    np.testing.assert_array_equal(unpack(packed["runs"]["loss"]), [1.0, 2.0, 3.0, np.nan])


@pytest.mark.parametrize("settings", [500, 3000])
def test_many_settings_fit(settings):
    """However many there are, statistics stay, and single runs as long as they have room."""
    shared = made(length=101)
    room = LIMIT - 4_000_000
    packed = pack_all({f"mr-admm-{number:010}": shared for number in range(settings)}, room)
    assert len(json.dumps(packed, separators=(",", ":"))) < room
    one = next(iter(packed.values()))
    at = list(range(one["at"])) if isinstance(one["at"], int) else one["at"]
    assert (at[0], at[-1]) == (0, 100)
    assert len(at) >= 5
    assert bool(one["runs"]) == (settings == 500)


@pytest.mark.parametrize(("length", "points"), [(51, 51), (51, 20), (50, 7), (2, 5), (1, 5), (1000, 5)])
def test_odd_iterations_stay_with_the_even_ones_after_them(length, points):
    at = kept(length, points)
    assert at[0] == 0
    assert at[-1] == length - 1
    assert len(at) <= max(points, 6)
    assert (np.diff(at) > 0).all()
    odd = at[at % 2 == 1]
    assert all(each + 1 in at or each == length - 1 for each in odd)


def test_no_text_ends_the_script():
    text = as_script({"label": "</script><!--"})
    assert "<" not in text
    assert json.loads(text) == {"label": "</script><!--"}


def test_the_library_is_the_one_that_was_shipped(monkeypatch, tmp_path):
    for name in ("template.html", "style.css", *PROGRAMS):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    (tmp_path / PLOTLY).write_text("alert('another')")
    monkeypatch.setattr("radmm.results.report.page.FOLDER", tmp_path)
    with pytest.raises(ValueError, match="is not the file that was shipped"):
        make_page({})


def test_the_page_asks_for_nothing_from_elsewhere():
    page = make_page({}).replace((FOLDER / PLOTLY).read_text(), "")
    assert "http" not in page
    assert hashlib.sha256((FOLDER / PLOTLY).read_bytes()).hexdigest().startswith("99784e3a")


def test_every_total_names_its_relation_and_delta():
    for name in [*total_names().values(), metric_names()["privacy_loss"]]:
        assert "δ = " in name.long
        assert "one row" in name.long


def page_of(*ends, kind="comparison", caveats=()):
    settings = [
        {
            "id": f"id{number}",
            "label": f"L{number}",
            "point": {},
            "private": SHIFT in end,
            "split": end.pop("split", "s0"),
            "network": "ring",
            "task": end.pop("task", "t0"),
        }
        for number, end in enumerate(ends)
    ]
    ends = [{"T": 50, "K": 25, "runs": 4, **end} for end in ends]
    return {
        "name": "mine",
        "title": "Mine",
        "kind": kind,
        "settings": settings,
        "ends": ends,
        "runs_ended": 0,
        "caveats": caveats,
    }


def test_the_headline_says_what_a_budget_buys():
    """Training loss chooses: neither a lower test error nor an average that looks better has a say."""
    page = page_of(
        {"loss": 0.3, "error_rate": 0.15},
        {"loss": 0.4, "error_rate": 0.20, "error_rate_min": 0.19, "error_rate_max": 0.22, SHIFT: 0.9},
        {"loss": 0.5, "error_rate": 0.18, "error_rate_average": 0.17, SHIFT: 0.8},
        {"loss": 0.35, "error_rate": 0.16, SHIFT: 1.2},  # spends too much
    )
    assert headline(page) == {
        "experiment": "mine",
        "setting": "id1",
        "total": SHIFT,
        "sentences": [
            "In “Mine”, at a total ε of at most 1, L1 reaches a test error of 20.0 % (19.0 to 22.0 % over 4 runs). "
            "It spends 0.9.",
            "25 of 50 iterations use the data. Without privacy, the test error is 15.0 %: L0. Privacy costs 5.0 "
            "points.",
        ],
        "conditions": "ε: shift accountant, δ = 1e-05, replacing one row, in exact arithmetic, taking each argmin as "
        "exact. Training loss chose the setting, test rows did not.",
    }


def test_the_headline_where_no_budget_is_so_small():
    ends = ({"loss": 0.4, "error_rate": 0.2, "K": 50, SHIFT: 3.0}, {"loss": 0.3, "error_rate": 0.1, SHIFT: 4.0})
    bought, cost = headline(page_of(*ends))["sentences"]
    assert bought.startswith("In “Mine”, at the smallest total ε = 3, L0 reaches")
    assert cost == "All 50 iterations use the data. Nothing was run without noise there."


def test_like_is_compared_with_like():
    """Another split may be easier and another objective has other losses: nothing is looked for there."""
    elsewhere = {"split": "s1", "task": "t1"}
    page = page_of(
        {"loss": 0.3, "error_rate": 0.15},
        {"loss": 0.4, "error_rate": 0.20, SHIFT: 0.9},
        {"loss": 0.3, "error_rate": 0.19, SHIFT: 0.9},
        {"loss": 0.2, "error_rate": 0.10, SHIFT: 0.9, **elsewhere},
        {"loss": 0.1, "error_rate": 0.05, **elsewhere},
        caveats=["Not covered by ε: a maximum."],
    )
    found = headline(page)
    bought, cost = found["sentences"]
    assert "L2 reaches a test error of 19.0 % on the split s0 and the network ring." in bought
    assert "Not covered by ε: a maximum." in found["conditions"]
    assert "the test error is 15.0 %: L0" in cost


def test_recommendations_are_what_the_command_answers(capsys):
    """The row of a network and budget names the method that `radmm recommend` prints for it."""
    found = recommendations(105, "")
    row = next(row for row in found["rows"] if (row["epsilon"], row["network"]) == (1.0, "N = 5, even"))
    assert main(row["recommend"].split()[1:]) == 0
    said = capsys.readouterr().out
    assert f"{row['trust']}: {row['method']}, {row['iterations']} iteration" in said
    assert f"read the {row['reads']}\n" in said
    assert row["calibrate"] in said
    assert f"use {row['method']} with {row['iterations']} iteration" in found["sentence"]
    assert f"{100 * row['error']:.1f} %" in found["sentence"]
    assert all("in exact arithmetic, taking each argmin as exact" in terms for terms in found["terms"].values())
    assert all(row["calibrate"].startswith("bin/radmm ") for row in recommendations(105, "bin/")["rows"])


def test_the_price_against_no_privacy_is_in_the_report_where_the_table_has_it(monkeypatch):
    shipped = read_table()
    found = recommendations(105, "")
    assert found["meaning"].startswith("Each test error is the mean over the study's data sets (")
    for free, side in ((0.0, "above"), (0.9, "below")):
        monkeypatch.setattr(recommended, "read_table", lambda free=free: shipped.assign(free=free))
        filled = recommendations(105, "")
        assert {row["free"] for row in filled["rows"]} == {free}
        first = next(row for row in filled["rows"] if row["epsilon"] == filled["target"])
        points = f"{100 * abs(first['error'] - free):.1f}"
        assert f"curator and {points} points {side} that without privacy." in filled["sentence"]
    monkeypatch.setattr(recommended, "read_table", lambda: shipped.assign(free=float("nan")))
    assert {row["free"] for row in recommendations(105, "")["rows"]} == {None}
    assert "without privacy" not in recommendations(105, "")["sentence"]


def test_methods_and_accountants_have_the_figures_colours():
    looks = looks_of_methods({"one": "r-admm-0123456789", "two": "r-admm-9876543210", "three": "dgd-0123456789"})
    assert looks["three"]["colour"] == ALGORITHMS["dgd"].color
    assert looks["one"] != looks["two"]
    shift = accountants()["shift"]
    assert (shift["colour"], shift["title"]) == (ACCOUNTANTS["shift"].color, ACCOUNTANTS["shift"].title)
    assert {marker for _, marker, *_ in (*ALGORITHMS.values(), *ACCOUNTANTS.values())} <= SYMBOLS.keys()


def test_a_tuned_study_answers_at_its_budget(tmp_path):
    (page,) = tuned_pages(made_study(tmp_path))
    assert page["sentences"] == [
        "No secrets between nodes, total ε of at most 1: 17.5 % by ADMM at N = 5.",
        "Neighbours that keep the draws they share, total ε of at most 1: 17.5 % by ADMM at N = 5 (within 0.5 points: "
        "alike).",
        "Every method was tuned on other splits and graphs. ε: shift accountant, δ = 1e-05, replacing one row, in "
        "exact arithmetic, taking each argmin as exact. Of alike, ε holds against outsiders.",
    ]
    assert set(page["looks"]) == {"ADMM", "alike"}
    assert len(page["rows"]) == 3
    assert all(len(row) == len(page["columns"]) for row in page["rows"])
    assert page["rows"][-1][page["columns"].index("more than the best")] is None  # a reference is compared with none


def test_a_replication_has_its_verdicts_its_table_and_whom_its_epsilon_holds_against(tmp_path):
    (page,) = replicated_pages(made_replication(made_study(tmp_path)))
    assert [each["name"] for each in tuned_pages(tmp_path)] == ["mine"]
    assert page["sentences"] == [
        "One pair of algorithms, compared over 2 splits and graphs: at equal P(T), 1 holds; at equal (ε, δ), 1 is "
        "undecided."
    ]
    assert page["verdicts"] == [
        ["holds", "R", "A", "equal P(T)", 2, 0, 0, 0],
        ["undecided", "R", "A", "equal (ε, δ)", 1, 0, 0, 1],
    ]
    assert len(page["rows"]) == 5
    first = dict(zip(page["columns"], page["rows"][0], strict=True))
    assert (first["equal"], first["difference, points"], first["outcome"]) == ("P(T) = 13", -1.25, "holds")
    assert page["said"][-1] == "Of R, ε holds against outsiders."
    assert page["figure"].startswith("<svg")
    assert json.loads(as_script(page)) == page


def test_counts_are_sentences():
    outcomes = (("holds", False), ("holds", False), ("mixed", False), ("fails", True))
    said = tally([{"words": {"adult": word}, "ours": ours} for word, ours in outcomes])
    assert said == "Of the paper's 3 claims, 2 hold and 1 is mixed. Of 1 that we added, 1 fails."
    counted = run_counts([page_of({"loss": 0.3}, {"loss": 0.2})])
    assert counted == "Experiments in this report: 1; settings: 2. No run ended early."


def test_data_touching_iterations_and_passes_are_counted_along_a_run():
    trace = pd.DataFrame({"run": [0] * 4, "iteration": range(4), "passes": [np.nan, 3.0, 0.0, 5.0]})
    packed = pack_all({"one": Curves.of(trace)}, 1e6)["one"]["along"]
    np.testing.assert_array_equal(unpack(packed["data_steps"]), [0, 1, 1, 2])
    np.testing.assert_array_equal(unpack(packed["passes_so_far"]), [0, 3, 3, 8])


def test_seconds_come_from_the_logs(tmp_path):
    (tmp_path / "a.log").write_text(
        "[   0.0 s] one begins\n[   0.2 s] centralised optimum found in 0.5 CPU seconds\n"
        "[   4.5 s] solved in 1.5 CPU seconds\n[   4.5 s] one done\n[   4.6 s] two begins\n"
        "[   4.7 s] two failed: bad luck\n"
        "[   4.8 s] three begins\n[   4.9 s] solved in 0.25 CPU seconds\n"
    )
    assert solver_seconds(tmp_path) == {"one": 1.5, "three": 0.25}


def test_a_number_takes_so_many_bytes():
    assert len(base64.b64encode(np.zeros(300, dtype="<f4").tobytes())) == BYTES * 300
