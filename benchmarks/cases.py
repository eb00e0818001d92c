"""The problems that are timed, and how time is taken."""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

import radmm
from radmm.data.download import get_files
from radmm.data.partitions.even import Even
from radmm.data.prepared_files import DataSet, make_problem
from radmm.data.sources.adult import Adult
from radmm.data.split import split_rows

ROOT = Path(__file__).parent.parent
NODES = 5


@dataclass(frozen=True)
class Settings:
    """Parameters of private MR-ADMM as in Figure 5, α = 1."""

    C: float = 1750.0
    rho: float = 0.22
    ratio: float = 1.04
    gamma: float = 0.5
    alpha: float | None = 1.0
    iterations: int = 50
    runs: int = 10
    seed: int = 0

    @property
    def algorithm(self):
        return radmm.MRADMM(radmm.Geometric(1.0, self.ratio), gamma=self.gamma)

    @property
    def noise(self):
        return None if self.alpha is None else radmm.ObjectiveNoise(self.alpha)


def raw_folder(source=None):
    """Return the folder with the raw files of a data source, Adult if not given; missing files are downloaded."""
    folder, wanted = ROOT / "data" / "raw", source or Adult()
    if not all((folder / file).is_file() for file in wanted.files):
        get_files(wanted.files, wanted.sources({}), folder, print)
    return folder


def load(source):
    """Return the data set of a source; missing raw files are downloaded."""
    built = source.build(raw_folder(source))
    return DataSet(sparse.csr_array(built.matrix), built.labels, "")


def load_adult():
    return load(Adult())


def training_rows(data, rows):
    return split_rows(len(data.labels), rows, None, seed=0).train


def spread(data, rows, loss="logistic"):
    """Return the problem of training rows that are dealt out to five nodes."""
    train = training_rows(data, rows)
    given = {"C": min(Settings.C, rows // NODES), "rho": Settings.rho}
    return radmm.Problem(data.features[train], data.labels[train], np.arange(rows) % NODES, loss, **given)


def adult_problem(data, nodes, rows=40_000, C=1750.0):
    """Return the problem of training rows spread over the nodes, and the test rows; C is lowered where a node has fewer
    rows.
    """
    split = split_rows(len(data.labels), rows, None, seed=0)
    problem = make_problem(data, split, Even(), nodes=nodes, loss="logistic", C=min(C, rows // nodes), rho=0.22)
    return problem, (data.features[split.test], data.labels[split.test])


def ring_with_chords(nodes, seed=0):
    """Return the edges of a connected network with about two edges a node: a ring and as many random chords."""
    ring = {(i, (i + 1) % nodes) for i in range(nodes)}
    chords = np.random.default_rng(seed).integers(0, nodes, (nodes, 2))
    pairs = {tuple(sorted(pair)) for pair in ring | {tuple(chord) for chord in chords} if pair[0] != pair[1]}
    return np.array(sorted(pairs))


def tiled(problem, copies):
    """Return the problem with the same rows several times over, spread over the same nodes."""
    rows = sparse.vstack([problem.rows] * copies, format="csr")
    node = np.tile(np.repeat(np.arange(problem.nodes), problem.row_counts), copies)
    return radmm.Problem(rows, np.ones(rows.shape[0]), node, C=problem.C, rho=problem.rho)


def cpu_seconds(work):
    begin = time.process_time()
    outcome = work()
    return time.process_time() - begin, outcome


def interleaved(works, repeats):
    """Run each (name, work) in turn, several times over, and return {name: (minimum, spread, last outcome)} in CPU
    seconds.

    Short work may be listed several times, as its minimum needs more tries.
    """
    times, outcomes = {name: [] for name, _ in works}, {}
    for _ in range(repeats):
        for name, work in works:
            taken, outcomes[name] = cpu_seconds(work)
            times[name].append(taken)
    return {name: (min(taken), max(taken) - min(taken), outcomes[name]) for name, taken in times.items()}
