"""Ten private runs on Census-Income (KDD) with 150,000 training rows, beside SciPy by hand."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
from scipy import sparse

import radmm
from benchmarks import baseline
from benchmarks.cases import ROOT, Settings, interleaved, neighbours_of, ring_with_chords
from benchmarks.sections import EQUAL, _losses, _solve
from radmm.argmin import layout
from radmm.argmin.combinations import no_combinations
from radmm.data.download import get_files
from radmm.data.prepared_files import DataSet
from radmm.data.sources.census_kdd import CensusIncome
from radmm.data.split import split_rows

ROWS, ITERATIONS, NODES = 150_000, 50, 5


def load(source):
    """The data set of a source, whose raw files are got if need be."""
    folder = ROOT / "data" / "raw"
    if not all((folder / file).is_file() for file in source.files):
        get_files(source.files, source.sources({}), folder, print)
    built = source.build(folder)
    return DataSet(sparse.csr_array(built.matrix), built.labels, "")


def load_census():
    return load(CensusIncome())


def spread(data, rows, loss="logistic"):
    """Training rows, dealt out to the nodes."""
    train = split_rows(len(data.labels), rows, None, seed=0).train
    given = {"C": min(Settings.C, rows // NODES), "rho": Settings.rho}
    return radmm.Problem(data.features[train], data.labels[train], np.arange(rows) % NODES, loss, **given)


def census(data, rows=ROWS, runs=10):
    """MR-ADMM as in Figure 5; by hand one run is timed, and counted so many times.

    Args:
        data: With at least so many rows.
        rows: Of training.
        runs: Of radmm, all at once.
    """
    settings = Settings(iterations=ITERATIONS, runs=runs, C=min(1750.0, rows // NODES))
    problem = spread(data, rows)
    network = radmm.Network.from_edges(ring_with_chords(NODES))
    hand, once = baseline.node_rows(problem, False), replace(settings, runs=1)
    ours = "radmm", lambda: _solve(problem, network, settings)
    loose = "loose", lambda: _solve(problem, network, settings, tolerance=EQUAL)
    theirs = "SciPy", lambda: baseline.mr_admm(hand, neighbours_of(network), None, once, 1e-5, range(1))
    plain = "plain", lambda: _rows_as_they_are(ours[1])
    times = interleaved([ours, loose, theirs, plain, ours, loose, theirs], 1)
    seconds = {name: least for name, (least, _, _) in times.items()} | {"SciPy": times["SciPy"][0] * runs}
    exact = _losses(_solve(problem, network, once, tolerance=1e-10), once)
    errors = {
        "radmm": _losses(times["radmm"][2], settings)[:1],
        f"radmm, tolerance {EQUAL:g}": _losses(times["loose"][2], settings)[:1],
        "SciPy": times["SciPy"][2].losses,
    }
    return {
        "rows": rows,
        "runs": runs,
        "iterations": ITERATIONS,
        "SciPy, CSR": seconds["SciPy"],
        "radmm": seconds["radmm"],
        "ratio": seconds["SciPy"] / seconds["radmm"],
        f"radmm, tolerance {EQUAL:g}": seconds["loose"],
        f"ratio, tolerance {EQUAL:g}": seconds["SciPy"] / seconds["loose"],
        "radmm, categories not combined": seconds["plain"],
        **{f"largest loss error, {name}": float(np.abs(losses - exact).max()) for name, losses in errors.items()},
    }


def _rows_as_they_are(work):
    """Without what SciPy by hand doesn't do either: reading categories in combinations."""
    with patch.object(layout, "find_combinations", lambda rows, *_: no_combinations(rows)):
        return work()
