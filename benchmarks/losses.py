"""The other losses against SciPy by hand.

Softmax has four made classes on Adult's rows. It and the Huberised hinge have noise with α = 1; the squared loss, which
the NumPy engine serves, has none.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from scipy import sparse

import radmm
from benchmarks import baseline
from benchmarks.baseline import ByHand
from benchmarks.cases import Settings, interleaved, neighbours_of, ring_with_chords
from benchmarks.sections import _losses, _solve, _timing
from radmm.data.split import split_rows

CLASSES = 4


def softmax_by_hand(problem):
    """With every row's own class at hand, node by node: rows are told apart by how many a node has."""
    edges = problem.node_start
    labels = [problem.label[edges[i] : edges[i + 1]] for i in range(problem.nodes)]

    def chances(x, f):
        scores = x @ f.reshape(CLASSES, -1).T
        scores -= scores.max(axis=1, keepdims=True)
        weight = np.exp(scores)
        total = weight.sum(axis=1, keepdims=True)
        return scores, weight / total, np.log(total[:, 0])

    def sums(block, f):
        x, own = block.x, block.own
        scores, chance, total = chances(x, f)
        value = (total - scores[own]).sum()
        chance[own] -= 1.0
        return value, (x.T @ chance).T.ravel()

    def values(block, f):
        scores, _, total = chances(block.x, f)
        return total - scores[block.own]

    return ByHand(values, sums, CLASSES), lambda rows: [Block(x, y) for x, y in zip(rows, labels, strict=True)]


class Block:
    """A node's rows with their classes."""

    def __init__(self, x, label):
        self.x, self.shape, self.own = x, x.shape, (np.arange(len(label)), label)


def huber_hinge(z, width=0.5):
    share = np.clip((1.0 + width - z) / (2.0 * width), 0.0, 1.0)
    return width * share**2 + np.maximum(1.0 - width - z, 0.0), -share


def of_margins(function):
    """By hand, from a function that gives L and L' of margins."""

    def sums(x, f):
        value, slope = function(x @ f)
        return value.sum(), x.T @ slope

    return ByHand(lambda x, f: function(x @ f)[0], sums), lambda rows: rows


def other_losses(data, size):
    """Runs of MR-ADMM as in Figure 5, on five nodes, with each of the other losses; SciPy takes its time, so once."""
    rows, iterations = min(size["rows"], 8_000), min(size["iterations"], 20)
    settings = Settings(iterations=iterations, runs=size["runs"], C=min(1750.0, rows // 5))
    train = split_rows(len(data.labels), rows, None, seed=0).train
    features, signs = sparse.csr_array(data.features[train]), data.labels[train]
    source = np.random.default_rng(0)
    scores = features @ source.standard_normal((features.shape[1], CLASSES))
    classes = np.argmax(scores + 0.5 * source.standard_normal(scores.shape), axis=1)
    given = {"softmax": (classes, settings), "squared": (signs, replace(settings, alpha=None))}
    given["huber-hinge"] = signs, settings
    return {loss: _one_loss(loss, features, labels, chosen) for loss, (labels, chosen) in given.items()}


def _one_loss(loss, features, labels, settings):
    node = np.arange(features.shape[0]) % 5
    problem = radmm.Problem(features, labels, node, loss, C=settings.C, rho=settings.rho)
    network = radmm.Network.from_edges(ring_with_chords(5))
    known = {"squared": of_margins(lambda z: ((1.0 - z) ** 2 / 2.0, z - 1.0)), "huber-hinge": of_margins(huber_hinge)}
    by_hand, blocks = softmax_by_hand(problem) if loss == "softmax" else known[loss]
    ours = "radmm", lambda: _solve(problem, network, settings)
    works = [ours, ours]
    for name, dense in (("dense", True), ("csr", False)):
        hand = blocks(baseline.node_rows(problem, dense))
        work = partial(
            baseline.mr_admm, hand, neighbours_of(network), None, settings, 1e-5, range(settings.runs), by_hand
        )
        works.append((name, work))
    times = interleaved(works, 1)
    table = {name: _timing(measured)["seconds"] for name, measured in times.items()}
    exact = _losses(_solve(problem, network, settings, tolerance=1e-10), settings)
    errors = {
        "radmm": np.abs(_losses(times["radmm"][2], settings) - exact).max(),
        "SciPy": np.abs(times["csr"][2].losses - exact).max(),
    }
    row = {"SciPy, dense": table["dense"], "SciPy, CSR": table["csr"], "radmm": table["radmm"]}
    row |= {"ratio, dense": table["dense"] / table["radmm"], "ratio, CSR": table["csr"] / table["radmm"]}
    return row | {f"largest loss error, {name}": float(error) for name, error in errors.items()}
