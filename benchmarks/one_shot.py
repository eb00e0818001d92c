"""Test errors of one-shot learning on Adult, as a curator and on networks: `python -m benchmarks.one_shot`."""

import networkx as nx
import numpy as np

from benchmarks.cases import load_adult
from radmm.algorithms.one_shot import OneShot
from radmm.budget import calibrate
from radmm.data.partitions.even import Even
from radmm.data.prepared_files import make_problem
from radmm.data.split import split_rows
from radmm.data.topologies.random import ErdosRenyi
from radmm.data.topology import draw_edges
from radmm.driver import solve
from radmm.model.network import Network
from radmm.privacy.noises.moments import MomentNoise

ROWS, RHO, RUNS = 40_000, 1e-3, 3
SPLITS = range(5, 12)  # none of those on which ratio and floor were chosen
EPSILONS = (0.1, 0.25, 0.5, 1.0, 2.0)


def random_network(nodes):
    return lambda seed: Network(draw_edges(ErdosRenyi(nodes=nodes, probability=0.5, seed=seed)))


# Each with its network for a seed, the rounds of gossip, and σ_c/σ.
CASES = {
    "one node, a curator": (lambda _: Network(nx.empty_graph(1)), 0, 0.0),
    "20 nodes, random, own noise": (random_network(20), 20, 0.0),
    "20 nodes, random, cancelling": (random_network(20), 20, 10.0),
    "100 nodes, random, cancelling": (random_network(100), 20, 10.0),
    "20 nodes, a ring, cancelling": (lambda _: Network(nx.cycle_graph(20)), 60, 10.0),
}


def errors(data, network, gossip, cancelling, epsilon, seed, rows=ROWS):
    """Return the mean over runs of the average classifier's test error, and of the worst node's own."""
    split = split_rows(len(data.labels), rows, None, seed)
    nodes = network.nodes
    problem = make_problem(data, split, Even(), nodes=nodes, loss="logistic", C=float(rows // nodes), rho=RHO)
    test, algorithm = (data.features[split.test], data.labels[split.test]), OneShot(gossip)
    noise = calibrate(problem, network, algorithm, MomentNoise, 1, epsilon, cancelling=cancelling)
    found = solve(
        problem, network, algorithm, noise=noise, iterations=1, runs=RUNS, seed=seed, test=test, keep_iterates=True
    )
    own = found.primal[:, -1].reshape(RUNS * nodes, -1) @ test[0].T * test[1] <= 0
    worst = own.mean(axis=1).reshape(RUNS, nodes).max(axis=1).mean()
    return found.trace.query("iteration == 1")["error_rate"].mean(), worst


def main():
    data = load_adult()
    print(
        f"test error of the average, and of the worst node: {len(SPLITS)} splits, {RUNS} runs each, δ = 1e-5, replace"
    )
    print(f"{'ε':32}" + "".join(f"{epsilon:>14}" for epsilon in EPSILONS))
    for name, (network_of, gossip, cancelling) in CASES.items():
        found = [
            np.mean([errors(data, network_of(seed), gossip, cancelling, epsilon, seed) for seed in SPLITS], axis=0)
            for epsilon in EPSILONS
        ]
        print(f"{name:32}" + "".join(f"{mean:8.4f} {worst:.3f}" for mean, worst in found), flush=True)


if __name__ == "__main__":
    main()
