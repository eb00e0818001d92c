"""The whole path on little data: what runs, what reruns, and that the bytes don't depend on how."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import radmm
from radmm.argmin.optimum import centralised_optimum
from radmm.base.store import read_metadata
from tests.conftest import ROOT
from tests.results.report.browser import data_of

pytestmark = pytest.mark.xdist_group("workflow")  # one worker, in order: the tests share two finished projects

EXPERIMENTS = ["fig1a", "fig2", "fig5", "computation"]  # those that smoke.yaml leaves in
SETTINGS = {"fig1a": 4, "fig2": 4, "fig5": 7, "computation": 4}
SHARED = 2  # settings that both fig5 and computation have
BATCHES = 5  # fig1a on two networks, fig2 on two splits, fig5, computation, and what these two share
PAGES = {"report": 1}
PICTURES = {"pictures_of_main_networks": 1}
LISTED = {"settings": 1, **PICTURES}
DRAWN = {"table": 4, "figure": 4, "paperfigure": 3, **PAGES}  # computation is not in the paper
AUDITED = {"verdicts": 1, "redteam": 1, "auditfigure": 1}
SOLVED = DRAWN | AUDITED | {"traces": BATCHES, "timing": 1, "claims": 1}
CALIBRATED = ("searches", "calibrations")
COLUMNS = ["run", "iteration", "loss", "error_rate", "privacy_loss", "consensus", "residual", "distance", "passes"]
COLUMNS += [
    "loss_average",
    "error_rate_average",
    "error_rate_worst",
    "messages",
    "floats_sent",
    "error_rate_worst_average",
]


class Project:
    """A copy of the project's files in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for pattern in ("_*.so", "__pycache__/*.pyc"):  # as built, so that no job compiles it again
            for path in (ROOT / "radmm").rglob(pattern):
                (folder / path.relative_to(ROOT)).parent.mkdir(exist_ok=True)
                shutil.copy2(path, folder / path.relative_to(ROOT))

    def snakemake(self, *arguments, fails=False, config="config/smoke.yaml"):
        program = str(Path(sys.executable).parent / "snakemake")
        command = [program, "--scheduler", "greedy", "--configfile", config, *arguments]  # as the profiles have it
        outcome = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        output = outcome.stdout + outcome.stderr
        assert (outcome.returncode != 0) == fails, output
        return output

    def plan(self, *targets, config="config/smoke.yaml"):
        """What a run would do: {rule: number of jobs}."""
        output = self.snakemake("--cores", "2", "--dry-run", "--", *(targets or ["all"]), config=config)
        self.forecast = re.search(r"^.* would be solved.*$", output, re.MULTILINE)[0]
        counted = dict(re.findall(r"^(\w+)\s+(\d+)$", output, re.MULTILINE))
        found = Counter()
        for rule, count in counted.items():
            found[re.sub("_[0-9a-f]{12}$", "", rule)] += int(count)  # a batch has a rule of its own
        return {rule: count for rule, count in found.items() if rule not in ("total", "all")}

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return lambda: path.write_text(text)


def outputs(project):
    folders = [project.folder / "results" / kind for kind in ("traces", "ledgers", "tables", "figures", "networks")]
    paths = [path for folder in [*folders, project.folder / "data"] for path in folder.glob("[!.]*") if path.is_file()]
    paths += [path for kind in CALIBRATED for path in (project.folder / "results" / kind).glob("[!.]*")]
    single = [project.folder / "results" / name for name in ("claims.md", "claims.json", "settings.parquet")]
    paths += [path for path in single if path.is_file()]
    same = [path for path in paths if "computation" not in path.name]  # which shows seconds
    return {path.relative_to(project.folder): path.read_bytes() for path in same}


def test_everything_is_made(finished):
    results = finished.folder / "results"
    made = {path.name for kind in ("tables", "figures") for path in (results / kind).glob("[!.]*")}
    names = {f"{name}.{kind}" for name in EXPERIMENTS for kind in ("parquet", "csv", "pdf", "png", "svg")}
    assert made == names | {f"{name}.{kind}" for name in ("audit", "claims", "ladder") for kind in ("pdf", "png")} | {
        "paper"
    }
    assert len(list((results / "figures" / "paper").glob("fig*"))) == 6  # the paper's in its own style
    assert len(list((results / "traces").glob("[!.]*"))) == sum(SETTINGS.values()) - SHARED
    shown = data_of((results / "report.html").read_text())
    assert [page["name"] for page in shown["experiments"]] == EXPERIMENTS
    assert shown["claims"]
    assert shown["audit"]["fallen"] == 0
    assert {row[-2] for row in shown["settings"]["rows"]} == {"done"}
    assert all(row[-1] > 0 for row in shown["settings"]["rows"])  # seconds, from the jobs' logs
    assert "not tested" in (results / "claims.md").read_text()  # what needs the experiments left out
    assert (results / "figures" / "fig5.png").read_bytes().startswith(b"\x89PNG")
    for kind in ("logs", "benchmarks"):
        assert len(list((results / kind / "batches").glob("[!.]*"))) == BATCHES


def test_a_table_tells_what_its_settings_are(finished):
    settings = pd.read_parquet(finished.folder / "results" / "settings.parquet").query("experiment == 'fig5'")
    stored = read_metadata(finished.folder / "results" / "tables" / "fig5.parquet")
    halved = settings.set_index("id")["algorithm.name"].isin(["r-admm", "mr-admm"])
    iterations = settings.set_index("id")["iterations"]
    assert stored["data_steps"] == (iterations // (1 + halved)).to_dict()
    assert stored["settings"] == list(stored["parameters"]) == settings["id"].tolist()


def test_a_budget_is_stored_with_what_came_of_it(finished):
    settings = pd.read_parquet(finished.folder / "results" / "settings.parquet").query("experiment == 'fig5'")
    found = json.loads((finished.folder / "results" / "calibrations" / "fig5.json").read_text())
    asking = settings[settings["label"].isin(["ADMM", "M-ADMM"])].set_index("id")
    assert {name: each["noise"]["alpha"] for name, each in found.items()} == asking["noise.alpha"].to_dict()
    (reference,) = settings.loc[settings["label"] == "R-ADMM", "id"]
    for name in asking.index:
        metadata = read_metadata(finished.folder / "results" / "traces" / f"{name}.parquet")
        assert metadata["asked"]["noise"]["total_bound"] == {"same_as": reference}
        assert metadata["setting"]["noise"] == found[name]["noise"]


def test_traces_are_as_documented(finished):
    settings = pd.read_parquet(finished.folder / "results" / "settings.parquet")
    assert settings.groupby("experiment", sort=False).size().to_dict() == SETTINGS
    for setting in settings.itertuples():
        path = finished.folder / "results" / "traces" / f"{setting.id}.parquet"
        trace, metadata = pq.read_table(path), read_metadata(path)
        assert trace.column_names == COLUMNS
        assert trace.num_rows == setting.runs * (setting.iterations + 1)
        assert trace["privacy_loss"].null_count == (0 if metadata["setting"]["noise"] else trace.num_rows)
        origin = {"id", "setting", "asked", "hashes", "status", "versions", "code"}
        assert set(metadata) == origin | {"caveat", "assumed", "not_for_release"}
        assert metadata["id"] == setting.id
        assert json.loads(setting.asked) == metadata["asked"]
        assert [status["status"] for status in metadata["status"]] == ["done"] * setting.runs


def test_a_trace_is_what_the_package_gives_for_its_setting(finished):
    """Every value of the setting arrives: seed and initial scale are not the defaults in smoke.yaml."""
    folder = finished.folder
    path = next((folder / "results" / "traces").glob("mr-admm-*.parquet"))
    setting = read_metadata(path)["setting"]
    assert (setting["seed"], setting["initial_scale"], setting["split"]["seed"]) == (1, 0.5, 2)
    table = pd.read_parquet(folder / "data" / "adult.parquet")
    rows = pd.read_parquet(next((folder / "data" / "splits").glob("*seed2*")))
    edges = np.loadtxt(next((folder / "results" / "networks").glob("*nodes4*.edges")), dtype=int)
    features, labels = table.drop(columns="label").to_numpy(), table["label"].to_numpy()
    train, test = (rows.loc[rows["part"] == part, "row"].to_numpy() for part in ("train", "test"))
    problem = radmm.Problem(features[train], labels[train], np.repeat(np.arange(4), 150), C=50.0, rho=0.22)
    expected = radmm.solve(
        problem,
        radmm.Network.from_edges(edges),
        radmm.MRADMM(radmm.Geometric(1.0, 1.04), gamma=0.5),
        noise=radmm.ObjectiveNoise(1.0),
        iterations=6,
        runs=2,
        seed=1,
        initial_scale=0.5,
        test=(features[test], labels[test]),
        optimum=centralised_optimum(problem),
    ).trace
    stored = pd.read_parquet(path)
    pd.testing.assert_frame_equal(stored, expected, check_dtype=False, atol=1e-12)


def test_the_same_bytes_with_one_core_and_a_job_for_each_setting(finished, tmp_path_factory):
    alone = Project(tmp_path_factory.mktemp("one-core"))
    shutil.copytree(finished.folder / "data" / "raw", alone.folder / "data" / "raw")
    targets = ["results/figures/fig5.pdf", "results/settings.parquet"]
    alone.snakemake("--cores", "1", "--config", "batches={seconds: 0}", "--", *targets)
    logs = Path("results", "logs", "batches")
    assert len(list((alone.folder / logs).iterdir())) == SETTINGS["fig5"]
    one, two = outputs(alone), outputs(finished)
    assert {name.name for name in one} >= {"fig5.csv", "fig5.pdf"}
    assert [str(name) for name in one if one[name] != two[name]] == []


EDITS = [
    (
        "radmm/results/figures/style.py",
        "TEXT_WIDTH = 7.16",
        "TEXT_WIDTH = 7.0",
        {"figure": 4, "paperfigure": 3, "auditfigure": 1, "ladder": 1, "claims": 1, "pictures_of_main_networks": 1}
        | PAGES,
    ),
    ("radmm/results/figures/regulariser.py", "0.22", "0.23", {"figure": 1, "paperfigure": 1, **PAGES}),
    ("radmm/results/tables.py", "DELTA = 1e-5", "DELTA = 1e-6", DRAWN | LISTED | {"claims": 1}),
    (
        "radmm/argmin/solver.py",
        "self._solved, self._next_refresh = 0, 1",
        "self._solved, self._next_refresh = 0, 2",
        SOLVED,
    ),
    (
        "radmm/privacy/accountants/renyi.py",
        "ORDERS",
        "MANY = 1\nORDERS",
        DRAWN | AUDITED | LISTED | {"ladder": 1, "claims": 1},  # what a guarantee is worth, claims say too
    ),
    ("radmm/results/claims/verdict.py", "FEWEST_UNITS = 6", "FEWEST_UNITS = 7", {"claims": 1, **PAGES}),
]
COMMENTS = [
    ("radmm/argmin/kernel_pass.h", "Estrin", "Horner"),
    ("radmm/argmin/solver.py", '"""', '"""Once more: '),
    ("README.md", "radmm", "Radmm"),
]


@pytest.mark.parametrize(("name", "old", "new", "plan"), EDITS, ids=lambda value: value if "/" in str(value) else "")
def test_an_edit_reruns_what_it_concerns(finished, name, old, new, plan):
    undo = finished.edit(name, old, new)
    planned = finished.plan()
    undo()
    assert planned == plan


def test_edits_of_comments_and_texts_rerun_nothing(finished):
    undone = [finished.edit(*each) for each in COMMENTS]
    planned = finished.plan()
    for undo in undone:
        undo()
    assert planned == {}


def test_an_edit_to_an_algorithm_reruns_its_own_traces_alone(finished):
    undo = finished.edit("radmm/algorithms/recycled.py", "now % 2 == 1", "now % 2 != 0")
    planned = finished.plan("results/figures/fig2.pdf", "results/figures/fig1a.pdf", "results/figures/fig5.pdf")
    undo()
    # Those of fig1a, and of fig5 its own and what it shares; fig2 is of ADMM alone. Budgets refer to R-ADMM.
    assert planned == {"calibrate": 1, "calibrations": 1, "traces": 3, "table": 2, "figure": 2}


def test_another_component_reruns_nothing(finished):
    extra = finished.folder / "radmm" / "algorithms" / "extra.py"
    extra.write_text("from radmm.algorithms.admm import ADMM\n\n\nclass Extra(ADMM):\n    name = 'extra'\n")
    figures = [f"results/figures/{name}.pdf" for name in EXPERIMENTS]
    planned = finished.plan("results/settings.parquet", *figures)  # the audit is of all components
    extra.unlink()
    assert planned == {}


def test_a_changed_setting_reruns_itself_and_what_depends_on_it(finished):
    undo = finished.edit("config/config.yaml", "ratio: 1.04}, gamma: 0.5", "ratio: 1.04}, gamma: 0.6")
    planned = finished.plan()
    undo()
    drawn = {"table": 1, "figure": 1, "paperfigure": 1}
    assert planned == {"traces": 1, "claims": 1, **drawn, **LISTED, **PAGES}


def test_a_figure_that_was_removed_is_drawn_again_and_nothing_else(finished):
    (finished.folder / "results" / "figures" / "fig2.pdf").unlink()
    assert finished.plan("results/figures/fig2.pdf", "results/figures/fig5.pdf") == {"figure": 1}
    told = finished.snakemake("--workflow-profile", "workflow/profiles/default", "--", "all").splitlines()
    assert len(told) < 30  # a screen, at whose end stands where to look first
    assert "  report    results/report.html" in told


def test_a_new_graph_reruns_all_traces_but_no_data(finished):
    undo = finished.edit("config/smoke.yaml", "network: {nodes: 4}", "network: {nodes: 3}")
    planned = {"network": 1, "calibrate": 1, "calibrations": 1, "traces": 1, "table": 1, "figure": 1}
    assert finished.plan("results/figures/fig5.pdf") == planned
    undo()


def test_a_bad_config_is_one_sentence_before_anything_runs(finished):
    undo = finished.edit("config/smoke.yaml", "runs: 2", "runs: 2\n  itterations: 9")
    output = finished.snakemake("--cores", "2", fails=True)
    undo()
    assert "defaults.itterations is not a known field here: did you mean iterations?" in output
    assert "Traceback" not in output
