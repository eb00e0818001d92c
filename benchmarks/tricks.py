"""What each of the compiled kernel's tricks gains: one setting solved with and without it, in turns.

A trick is kept if it gains at least a quarter on two of the four data sets. CPU seconds include the time to lay out the
rows, as in a process that solves one setting. All five nodes have as many rows, and there are ten private runs.
"""

from contextlib import ExitStack
from functools import partial
from unittest.mock import patch

import numpy as np

import radmm
from benchmarks.cases import Settings, cpu_seconds, load_adult, ring_with_chords
from benchmarks.large import NODES, load, spread
from benchmarks.sections import _solve
from radmm.argmin import layout
from radmm.argmin.combinations import no_combinations
from radmm.data.sources.census_kdd import CensusIncome
from radmm.data.sources.covertype import Covertype

REPEATS = 5
SINGLE, ORDER = "single precision with Taylor anchors", "rows in the order of their lengths"
CODES, APART = "category combinations", "dense columns apart"
OFF = {
    SINGLE: (layout, "SINGLE_FROM", 10**12),
    ORDER: (layout, "by_length", lambda *_: None),
    CODES: (layout, "find_combinations", lambda rows, *_: no_combinations(rows)),
    APART: (layout, "DENSE_SHARE", 2.0),  # of the rows: no column has so many
}
# For each ratio what is off in the numerator, and what is off in both.
RATIOS = {name: ((name,), ()) for name in OFF}
RATIOS |= {f"{name}, without the first two": ((name,), (SINGLE, ORDER)) for name in (CODES, APART)}


def tricks(small=False):
    """{data set: median seconds with all tricks, and median ratio of seconds without each to seconds with it}."""
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
    """The ratios for one data set.

    Args:
        make: Makes the problem.
        iterations: T.
        repeats: How often each variant is solved, in turns.
    """
    network = radmm.Network.from_edges(ring_with_chords(NODES))
    variants = dict.fromkeys(off for more, base in RATIOS.values() for off in (base, base + more))
    times = {off: [] for off in variants}
    for _ in range(repeats):
        for off in variants:
            problem = make()  # anew, as it keeps its layout
            settings = Settings(iterations=iterations, C=problem.C)
            with ExitStack() as switched:
                for name in off:
                    switched.enter_context(patch.object(*OFF[name]))
                times[off].append(cpu_seconds(partial(_solve, problem, network, settings))[0])
    seconds = {off: np.array(taken) for off, taken in times.items()}
    found = {name: float(np.median(seconds[base + more] / seconds[base])) for name, (more, base) in RATIOS.items()}
    return {"seconds with all": float(np.median(seconds[()])), **found}
