"""Ten private runs on Census-Income (KDD) with 150,000 training rows, beside SciPy by hand."""

from dataclasses import replace

import numpy as np
from scipy import sparse

import radmm
from benchmarks import baseline
from benchmarks.cases import ROOT, Settings, cpu_seconds, neighbours_of, ring_with_chords
from benchmarks.sections import _losses, _solve
from radmm.data.download import get_files
from radmm.data.files import DataSet
from radmm.data.sources.census_kdd import CensusIncome
from radmm.data.split import split_rows

ROWS, ITERATIONS, NODES = 150_000, 50, 5


def load_census():
    folder, census = ROOT / "data" / "raw", CensusIncome()
    if not all((folder / file).is_file() for file in census.files):
        get_files(census.files, census.sources({}), folder, print)
    built = census.build(folder)
    return DataSet(sparse.csr_array(built.matrix), built.labels, "")


def census(data, rows=ROWS, runs=10):
    """MR-ADMM as in Figure 5; by hand one run is timed, and counted so many times.

    Args:
        data: With at least so many rows.
        rows: Of training.
        runs: Of radmm, all at once.
    """
    settings = Settings(iterations=ITERATIONS, runs=runs, C=min(1750.0, rows // NODES))
    train = split_rows(len(data.labels), rows, None, seed=0).train
    problem = radmm.Problem(
        data.features[train], data.labels[train], np.arange(rows) % NODES, C=settings.C, rho=settings.rho
    )
    network = radmm.Network.from_edges(ring_with_chords(NODES))
    ours, result = cpu_seconds(lambda: _solve(problem, network, settings))
    hand = baseline.node_rows(problem, False)
    once = replace(settings, runs=1)
    theirs, outcome = cpu_seconds(lambda: baseline.mr_admm(hand, neighbours_of(network), None, once, 1e-5, range(1)))
    exact = _losses(_solve(problem, network, once, tolerance=1e-10), once)
    return {
        "rows": rows,
        "runs": runs,
        "iterations": ITERATIONS,
        "SciPy, CSR": theirs * runs,
        "radmm": ours,
        "ratio": theirs * runs / ours,
        "largest loss error, radmm": float(np.abs(_losses(result, settings)[:1] - exact).max()),
        "largest loss error, SciPy": float(np.abs(outcome.losses - exact).max()),
    }
