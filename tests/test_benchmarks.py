"""The benchmarks at small size, so that they can't rot; their numbers mean nothing then."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import radmm
from radmm.data.prepared_files import DataSet
from radmm.jobs.batches import SNAKEMAKE_MEGABYTES
from tests.conftest import ROOT, needs_compiler


@needs_compiler
@pytest.mark.xdist_group("benchmarks")
def test_the_benchmarks_run(tmp_path):
    output = tmp_path / "results.json"
    from benchmarks.own_solvers import OWN
    from benchmarks.peers import IN_THE_LOCK

    subprocess.run([sys.executable, "-m", "benchmarks", "--small", "--output", str(output)], cwd=ROOT, check=True)
    results = json.loads(output.read_text())
    assert results["settings"]["N = 5"]["gradient norm"] <= 1e-8
    assert all(ratio > 0.0 for ratio in results["tricks"]["Adult"].values())
    assert results["threads"]["N = 5"]["the same bytes"]
    assert {name: row["gradient norm"] <= 1e-4 for name, row in results["peers"]["Adult"].items()} == dict.fromkeys(
        [*OWN, *IN_THE_LOCK], True
    )
    for case in ("25 equal Gaussian releases", "25 different Gaussian releases"):
        exact, found = (results["accountants"][case][name]["ε"] for name in ("exact", "radmm, shift"))
        assert exact <= found <= exact + 1e-4, case
    assert output.with_suffix(".png").is_file()


@pytest.mark.xdist_group("benchmarks")
def test_a_short_soak_leaves_nothing_behind(tmp_path):
    from benchmarks.soak import soak

    found = soak(tmp_path / "soak", minutes=0.05, settings=4)
    assert found["traces"] == 4
    assert found["runs killed"] + found["jobs killed"] >= 1
    wrong = (
        "last run failed",
        "traces that changed",
        "damaged files",
        "processes left",
        "locks left",
        "temporary files left",
    )
    assert {name: found[name] for name in wrong} == dict.fromkeys(wrong, 0)


def test_the_soak_is_told_with_the_stored_numbers():
    from benchmarks.soak import STORED, markdown

    text = (ROOT / "docs" / "reliability.md").read_text()
    (block,) = re.findall(r"<!-- soak: begin -->\n(.*?)<!-- soak: end -->", text, re.DOTALL)
    assert block == markdown(json.loads(STORED.read_text())), "run `python docs/refresh.py reliability`"


@pytest.fixture
def three_classes(tmp_path):
    """Two recorded argmins of a node with three classes, in a file."""
    from benchmarks.argmin_cases import write_case

    source = np.random.default_rng(0)
    features = source.uniform(-0.5, 0.5, (600, 4))
    classes = np.argmax(features[:, :3] + 0.1 * source.standard_normal((600, 3)), axis=1)
    write_case(tmp_path / "case.npz", DataSet(sparse.csr_array(features), classes, ""), 500, "softmax", 4)
    return tmp_path / "case.npz"


@pytest.mark.parametrize("name", ["SciPy L-BFGS", "scikit-learn lbfgs", "scikit-learn newton-cholesky"])
def test_peers_find_the_recorded_argmins_of_softmax(three_classes, name):
    """For scikit-learn, linear terms become rows: their argmins must be those of the subproblem itself."""
    from benchmarks.peer_solvers import PEERS, read_case

    case = read_case(three_classes, dense=True)
    assert case.classes == 3
    points = PEERS[name](case).solve(1e-9, 2)
    np.testing.assert_allclose(points[:, :, 0], case.exact, rtol=0, atol=1e-4)


def test_the_search_for_a_tolerance_takes_the_loosest_that_reaches_the_norm():
    from benchmarks.peers import NORM, Solver

    class Answers:
        """A solver whose gradient norm is thirty times its tolerance, but never below a floor."""

        def __init__(self, floor):
            self.floor = floor

        def ask(self, name, form, tolerance, steps):
            return 1.0, max(30.0 * tolerance, self.floor)

    solver = Solver("peer", Answers(0.0), "csr", 1.0)
    solver.settle(3)
    assert NORM / 4 <= 30.0 * solver.tolerance <= NORM
    stuck = Solver("peer", Answers(3.0 * NORM), "csr", 1.0)
    stuck.settle(3)
    assert 30.0 * stuck.tolerance <= 3.0 * NORM


def test_a_lead_that_falls_short_comes_first():
    from benchmarks.own_solvers import KERNEL
    from benchmarks.report import ALONE, lead

    def rows(peer):
        ratios = {KERNEL: 1.0, ALONE: 2.0, "peer": peer, "slower": 99.0}
        return {name: {"milliseconds": ratio, "times the kernel's": ratio} for name, ratio in ratios.items()}

    found = lead({"Adult": rows(40.0), "Census-Income": rows(12.0), "Covertype": rows(2.9)}).splitlines()[4:]
    assert [line.split(" | ")[0] for line in found] == ["| Covertype", "| Census-Income", "| Adult"]
    assert "**not reached**" in found[0]
    assert "reached by ten runs only" in found[1]
    assert "reached, also by one run" in found[2]
    assert all("| peer |" in line for line in found)


def test_gaussian_releases_have_the_epsilon_of_one_gaussian_mechanism():
    """At ε = 0, δ is the total variation distance of two normal laws."""
    from math import erf, sqrt

    from benchmarks.accountants import exact_epsilon

    delta = erf(0.5 / 2 / sqrt(2.0))
    assert exact_epsilon([4.0] * 4, delta * (1 - 1e-9)) == pytest.approx(0.0, abs=1e-6)
    assert exact_epsilon([4.0] * 4, 1e-5) == pytest.approx(exact_epsilon([2.0], 1e-5))


def test_jobs_are_told_apart_by_their_steps():
    from benchmarks.jobs import of_kinds

    told = ["0m0.001s 0m0.002s\n1m2.500s 0m0.250s\nset -euo pipefail; python /x/.snakemake/scripts/tmpab_1.table.py"]
    told += ["0m0.001s 0m0.002s\n0m1.000s 0m0.250s\npython -m radmm.jobs.steps.table", "0m0s 0m0s\n0m3s 0m1s\necho"]
    assert of_kinds(told) == {"table jobs": 64.0, "other jobs": 4.0}


def test_the_documents_have_the_stored_numbers():
    from benchmarks.report import blocks

    stored = (json.loads((ROOT / "benchmarks" / f"{name}.json").read_text()) for name in ("results", "grid"))
    for page, texts in blocks(*stored).items():
        written = (ROOT / "docs" / page).read_text()
        for block, text in texts.items():
            assert f"<!-- {block}: begin -->\n{text}<!-- {block}: end -->" in written, (
                f"{page}, {block}: run `python docs/refresh.py performance`"
            )


def test_the_cluster_document_has_the_stored_numbers():
    sys.path.insert(0, str(ROOT))
    from benchmarks import estimates, grid, ranks

    stored, by_ranks = (json.loads(path.read_text()) for path in (ROOT / "benchmarks" / "grid.json", ranks.STORED))
    assert by_ranks["the same bytes"]
    text = (ROOT / "docs" / "cluster.md").read_text()
    for block in (grid.markdown(stored), estimates.markdown(stored["jobs"]), ranks.markdown(by_ranks)):
        assert block in text, "run `python docs/refresh.py cluster`"


def test_jobs_of_full_size_ask_for_enough_and_not_for_far_too_much():
    """As measured last, by today's estimates."""
    from benchmarks.estimates import jobs

    measured = json.loads((ROOT / "benchmarks" / "grid.json").read_text())["jobs"]
    for label, batch in jobs().items():
        used = measured[label]
        assert used["used MB"] < batch.megabytes_to_ask_for - SNAKEMAKE_MEGABYTES < 3 * used["used MB"], label
        assert 2 * used["used seconds"] < 60 * batch.minutes_to_ask_for, label
        assert used["used seconds"] / 4 < batch.seconds < 4 * used["used seconds"], label


@pytest.mark.parametrize(("times", "same"), [(0, radmm.ADMM(0.7)), (1, radmm.RADMM(0.7, 0.3))])
def test_recycling_several_times_begins_with_the_algorithms_there_are(small, times, same):
    from benchmarks.recycle_more import RecyclesSeveralTimes

    several = RecyclesSeveralTimes(0.7, 0.3, times=times)
    one, other = (
        radmm.solve(small.problem, small.network, each, iterations=9, runs=2, keep_iterates=True).primal
        for each in (several, same)
    )
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-7)


def test_errors_of_one_shot_learning_are_those_of_the_average_and_the_worst_node():
    from benchmarks.one_shot import CASES, errors

    source = np.random.default_rng(0)
    features = source.standard_normal((400, 3)) / 4
    data = DataSet(sparse.csr_array(features), np.where(features[:, 0] > 0, 1.0, -1.0), "")
    ring = radmm.Network.from_edges([[0, 1], [1, 2], [2, 3], [0, 3]])
    mean, worst = errors(data, ring, 0, 0.0, 20.0, 0, rows=300)
    agreed = errors(data, ring, 60, 10.0, 20.0, 0, rows=300)
    assert mean < worst < 0.5
    assert agreed == pytest.approx((agreed[0], agreed[0]), abs=0.011)  # one of a hundred test rows
    assert {network_of(0).nodes for network_of, *_ in CASES.values()} == {1, 20, 100}
