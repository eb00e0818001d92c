"""A finished study as one table, and an experiment as a printed one."""

import json
import re
import shutil

import pandas as pd
import pytest

import radmm
from radmm.__main__ import main
from radmm.results.experiment_summary import NO_BOUND, NO_NOISE, Summary
from radmm.results.figures.captions import EXACT

pytestmark = pytest.mark.xdist_group("made project")


@pytest.fixture
def results(made_project):
    return made_project / "results"


@pytest.fixture
def incomplete(results, tmp_path):
    """A copy of the study in which a setting of `other` has not run."""
    copy = shutil.copytree(results, tmp_path / "results")
    settings = pd.read_parquet(copy / "settings.parquet").query("experiment == 'other'")
    (copy / "traces" / f"{settings['id'].iloc[0]}.parquet").unlink()
    return copy


def test_all_is_one_table_with_a_row_for_each_run_and_iteration(results):
    settings, tidy = pd.read_parquet(results / "settings.parquet"), radmm.load_results(results)
    assert len(tidy) == (settings["runs"] * (settings["iterations"] + 1)).sum()
    assert not tidy.duplicated(["experiment", "label", "setting", "run", "iteration"]).any()
    for setting in settings.to_dict("records"):
        found = tidy[(tidy["setting"] == setting["id"]) & (tidy["experiment"] == setting["experiment"])]
        trace = pd.read_parquet(results / "traces" / f"{setting['id']}.parquet")
        pd.testing.assert_frame_equal(found[list(trace)].reset_index(drop=True), trace)
        for name in ("algorithm.name", "noise.alpha", "network.law", "split.seed", "calibrated_to.total_epsilon"):
            told = found[name].drop_duplicates().tolist()
            assert told == [setting[name]] or (pd.isna(told).all() and pd.isna(setting[name]))


def test_only_files_of_the_experiment_that_is_asked_for_are_read(results, incomplete):
    mine = radmm.load_results(incomplete, "mine")
    whole = radmm.load_results(results).query("experiment == 'mine'").reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, whole[list(mine)], check_dtype=False)
    assert radmm.load_results(str(incomplete), ["mine"]).equals(mine)
    assert radmm.load_results(incomplete)["experiment"].unique().tolist() == ["mine"]  # which has run whole
    with pytest.raises(radmm.InputError, match=r"traces/\S+ is missing: every setting of other must have run"):
        radmm.load_results(incomplete, "other")


def test_what_is_not_there_gets_a_sentence(results, tmp_path):
    with pytest.raises(radmm.InputError, match=r"^experiment = mien: must be one of mine, other; did you mean mine\?$"):
        radmm.load_results(results, "mien")
    with pytest.raises(radmm.InputError, match=r"must have settings\.parquet, like the results of a run$"):
        radmm.load_results(tmp_path)


def test_a_trace_that_was_changed_is_refused_and_stays(results, tmp_path):
    copy = shutil.copytree(results, tmp_path / "results")
    trace = sorted((copy / "traces").glob("*.parquet"))[0]
    trace.write_bytes(trace.read_bytes() + b"x")
    with pytest.raises(radmm.InputError, match="has SHA-256"):
        radmm.load_results(copy)
    assert trace.is_file()


def test_a_table_tells_each_total_with_its_conditions(results, capsys):
    assert main(["table", str(results), "--experiment", "mine", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    totals = {row["setting"]: row["total ε"] for row in told["rows"]}
    assert totals["ADMM"] == NO_NOISE
    stored = pd.read_csv(results / "tables" / "mine.csv").query("metric == 'epsilon_shift_delta_1e-05'")
    spent = stored.drop_duplicates("label").set_index("label")["mean"]
    for label, exact in spent.items():
        assert exact <= float(totals[label]) <= 1.001 * exact
    (sentence,) = [each for each in told["sentences"] if each.startswith("Total ε of one run with noise: ")]
    assert "for replacing one row, at δ = 1e-05 by the shift accountant, in exact arithmetic" in sentence
    assert told["sentences"][-1] == EXACT


def test_the_numbers_are_those_after_the_last_iteration(results, capsys):
    flags = ["--experiment", "other", "--metric", "consensus"]
    assert main(["table", str(results), *flags]) == 0
    told = capsys.readouterr().out
    last = radmm.load_results(results, "other").query("iteration == iteration.max()")
    for label, runs in last.groupby("label")["consensus"]:
        written = f"{runs.mean():.4g} ({runs.min():.4g} to {runs.max():.4g})"
        assert re.search(rf"^ *{label} +{re.escape(written)} +{NO_NOISE}$", told, re.MULTILINE)
    assert "ε of" not in told  # nothing here has noise


def test_latex_has_no_character_that_it_takes_for_a_command(results, capsys):
    assert main(["table", str(results), "--experiment", "mine", "--latex"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("\\begin{table}\n\\caption{After the last iteration")
    assert "total $\\varepsilon$ \\\\" in text
    assert "at $\\delta$ = 1e-05 by the shift accountant" in text
    assert text.isascii()


def test_labels_of_ones_own_are_escaped_and_a_total_without_proof_is_none(results):
    table = pd.read_parquet(results / "tables" / "mine.parquet")
    stored = {"experiment": "mine", "parameters": {}, "data_steps": {}, "caveats": []}
    settings = table["setting"].unique()
    stored["parameters"] = {name: {"noise": {"kind": "objective", "alpha": 1.0}} for name in settings}
    table = table[~table["metric"].str.startswith("epsilon_")].replace({"label": {"ADMM": r"50 % of A_1 & \B{}"}})
    made = Summary(table, stored)
    assert set(made.rows["total ε"]) == {NO_BOUND}
    assert any(each.startswith("No total ε is known") for each in made.sentences)
    assert r"50 \% of A\_1 \& \textbackslash{}B\{\} & " in made.to_latex()


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--experiment", "mime"], "--experiment mime: must be one of mine, other; did you mean mine?"),
        (["--experiment", "mine", "--metric", "lost"], "metric = lost: must be one of "),
        (["--experiment", "mine", "--metric", "epsilon_pure"], "metric = epsilon_pure: must be one of "),
        ([], "the following arguments are required: --experiment; see radmm table --help"),
    ],
)
def test_what_no_table_can_show_gets_a_sentence(results, capsys, flags, sentence):
    assert main(["table", str(results), *flags]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"radmm: {sentence}")
    assert told.err.count("\n") == 1
    assert not told.out
