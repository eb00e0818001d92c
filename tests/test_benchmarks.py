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
    subprocess.run([sys.executable, "-m", "benchmarks", "--small", "--output", str(output)], cwd=ROOT, check=True)
    results = json.loads(output.read_text())
    row = results["by hand"]["N = 5"]
    assert row["largest gradient norm"] <= 1e-8
    assert row["largest loss error"] < row["dense"]["largest loss error"]
    assert 1e-8 < row["equal accuracy"]["largest gradient norm"] <= 5e-5
    assert "by JAX" in results  # empty where it is not installed
    assert {"against the limit", "against scikit-learn", "recycling", "averages", "growth"} <= set(results)
    assert all(ratio > 0.0 for ratio in results["tricks"]["Adult"].values())
    assert results["threads"]["N = 5"]["the same bytes"]
    assert {"softmax", "squared"} <= set(results["other losses"])
    for loss, row in results["other losses"].items():
        assert row["largest loss error, radmm"] < 1e-8, loss
    assert results["census"]["largest loss error, radmm"] < 1e-8
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


@needs_compiler
def test_two_versions_are_compared():
    """With itself, on little data."""
    from benchmarks.versions import compare

    table = compare(ROOT, {"one": (5, None), "loose": (5, 1e-4)}, 1, 500, 2)
    assert set(table) == {"one", "loose"}
    assert all(row["before"] > 0.0 and row["after"] > 0.0 for row in table.values())


def test_jobs_are_told_apart_by_their_steps():
    from benchmarks.jobs import of_kinds

    told = ["0m0.001s 0m0.002s\n1m2.500s 0m0.250s\nset -euo pipefail; python /x/.snakemake/scripts/tmpab_1.table.py"]
    told += ["0m0.001s 0m0.002s\n0m1.000s 0m0.250s\npython -m radmm.jobs.steps.table", "0m0s 0m0s\n0m3s 0m1s\necho"]
    assert of_kinds(told) == {"table jobs": 64.0, "other jobs": 4.0}


def test_the_document_has_the_stored_numbers():
    sys.path.insert(0, str(ROOT))
    from benchmarks.report import markdown

    stored = markdown(json.loads((ROOT / "benchmarks" / "results.json").read_text()))
    text = (ROOT / "docs" / "performance.md").read_text()
    (block,) = re.findall(r"<!-- numbers: begin -->\n(.*?)<!-- numbers: end -->", text, re.DOTALL)
    assert block == stored, "run `python docs/refresh.py performance`"
    from benchmarks import scale

    files = (ROOT / "benchmarks" / name for name in ("results.json", "grid.json"))
    assert scale.markdown(*(json.loads(file.read_text()) for file in files)) in text


def test_the_cluster_document_has_the_stored_numbers():
    sys.path.insert(0, str(ROOT))
    from benchmarks import estimates, grid

    stored = json.loads((ROOT / "benchmarks" / "grid.json").read_text())
    text = (ROOT / "docs" / "cluster.md").read_text()
    for block in (grid.markdown(stored), estimates.markdown(stored["jobs"])):
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
