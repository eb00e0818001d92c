"""Measure what each of the compiled kernel's optimisations gains: one setting solved with and without it, in turns.

A trick is kept if it gains at least a quarter on two of the four data sets. CPU seconds include the time to lay out the
rows, as in a process that solves one setting. All five nodes have as many rows, and there are ten private runs.
"""

from contextlib import nullcontext
from functools import partial
from unittest.mock import patch

import numpy as np

import radmm
from benchmarks.cases import NODES, Settings, cpu_seconds, load, load_adult, ring_with_chords, spread
from benchmarks.sections import solve_or_fail
from radmm.argmin import layout
from radmm.argmin.combinations import no_combinations
from radmm.data.sources.census_kdd import CensusIncome
from radmm.data.sources.covertype import Covertype

REPEATS = 5
OFF = {
    "category combinations": (layout, "find_combinations", lambda rows, *_: no_combinations(rows)),
    "dense columns apart": (layout, "DENSE_SHARE", 2.0),  # of the rows: no column has so many
}


def tricks(small=False):
    """Return, by data set, median seconds with all optimisations, and the median ratio of seconds without each."""
    adult = load_adult()
    if small:
        return {"Adult": gains(lambda: spread(adult, 1_000), 2, 1)}
    census, two, seven = (load(source) for source in (CensusIncome(), Covertype(), Covertype(all_types=True)))
    cases = {
        "Adult": (lambda: spread(adult, 40_000), 50),
        "Census-Income": (lambda: spread(census, 150_000), 20),
        "Covertype, two classes": (lambda: spread(two, 150_000), 20),
        "Covertype, softmax": (lambda: spread(seven, 50_000, "softmax"), 10),
    }
    return {case: gains(make, iterations, REPEATS) for case, (make, iterations) in cases.items()}


def gains(make, iterations, repeats):
    """Return the ratios for one data set.

    Args:
        make: Makes the problem.
        iterations: T.
        repeats: How often each variant is solved, in turns.
    """
    network = radmm.Network.from_edges(ring_with_chords(NODES))
    times = {name: [] for name in ("all", *OFF)}
    for _ in range(repeats):
        for name, taken in times.items():
            problem = make()  # anew, as it keeps its layout
            work = partial(solve_or_fail, problem, network, Settings(iterations=iterations, C=problem.C))
            with patch.object(*OFF[name]) if name in OFF else nullcontext():
                taken.append(cpu_seconds(work)[0])
    seconds = {name: np.array(taken) for name, taken in times.items()}
    found = {name: float(np.median(seconds[name] / seconds["all"])) for name in OFF}
    return {"seconds with all": float(np.median(seconds["all"])), **found}
