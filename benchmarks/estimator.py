"""Test errors of the estimator: `python -m benchmarks.estimator` takes fifteen minutes and writes estimator.json.

Bounds are round numbers, chosen by what a column means, and no parameter is chosen on Adult or breast cancer. Noise is
drawn there as for a release, so that another run gives other numbers of the same law.
"""

import argparse
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import radmm
from benchmarks.cases import raw_folder
from radmm.base.store import write_json
from radmm.data.sources.adult import ATTRIBUTES, read_raw
from radmm.data.sources.bank import Bank
from radmm.data.sources.default_cb import DefaultOfCreditCards
from radmm.sklearn import PrivateLogisticRegression, training
from radmm.sklearn.bounded_features import BoundedFeatures
from radmm.sklearn.training import Training

STORED = Path(__file__).with_name("estimator.json")
EPSILONS = (0.5, 1.0, 2.0, 5.0)
NODES = 10
DEVIATIONS = (0.25, 0.5, 1.0, 2.0, 4.0)
NUMBERS = {
    "age": (0, 100),
    "fnlwgt": (0, 1_500_000),
    "education-num": (0, 16),
    "capital-gain": (0, 100_000),
    "capital-loss": (0, 5_000),
    "hours-per-week": (0, 100),
}
# Largest values of the ten measurements of a nucleus, of their standard errors, and of their worst.
LARGEST = (40, 50, 300, 5_000, 0.3, 2, 2, 0.5, 1, 0.3)
ERRORS = (4, 5, 30, 600, 0.05, 0.2, 0.5, 0.1, 0.1, 0.05)


def adult(splits):
    """Return Adult's complete rows, with numbers as they are and declared categories one-hot; 40,000 rows train."""
    table = read_raw(raw_folder()).dropna()
    parts, bounds = [], []
    for name, declared in ATTRIBUTES.items():
        known = declared.split() if declared else None
        parts.append(table[name].to_numpy(dtype=float)[:, None] if known is None else one_hot(table[name], known))
        bounds += [NUMBERS[name]] if known is None else [(0, 1)] * len(known)
    rich = table["income"].str.rstrip(".").to_numpy()
    return np.hstack(parts), rich, tuple(np.array(bounds).T), 40_000, splits


def one_hot(values, known):
    return np.eye(len(known))[pd.Index(known).get_indexer(pd.Index(values))]


def breast_cancer(splits):
    """Return all rows of breast cancer, of which three quarters train."""
    found = load_breast_cancer()
    highest = np.concatenate([LARGEST, ERRORS, LARGEST])
    return found.data, found.target_names[found.target], (np.zeros(30), highest), 426, splits


def objective_perturbation(rows, labels, epsilon, seed):
    """Train by objective perturbation (Chaudhuri, Monteleoni and Sarwate, 2011) with pure ε, the regulariser ½‖f‖²
    beside the summed loss.
    """
    problem = radmm.Problem(rows, labels, np.zeros(len(labels), dtype=int), C=len(labels), rho=1.0)
    run = problem, radmm.Network([[0]]), radmm.ADMM()
    budget = {"epsilon": epsilon, "law": "exponential-norm", "accountant": "optimal-pure"}
    noise = radmm.calibrate(*run, radmm.ObjectiveNoise, 1, **budget)
    return radmm.solve(*run, noise=noise, iterations=1, runs=1, seed=seed).classifier()


def errors_of_split(table, labels, bounds, train, seed):
    """Return the test error of every method on one split."""
    x, x_test, y, y_test = train_test_split(table, labels, train_size=train, random_state=seed, stratify=labels)
    plain = {
        "the larger class": DummyClassifier(),
        "no privacy": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    }
    found = {(name, None): 1.0 - model.fit(x, y).score(x_test, y_test) for name, model in plain.items()}
    features = BoundedFeatures.declared(bounds, "largest", [str(place) for place in range(table.shape[1])])
    signs, signs_test = (np.where(each == np.unique(labels)[1], 1.0, -1.0) for each in (y, y_test))
    for epsilon in EPSILONS:
        for nodes in (1, NODES):
            model = PrivateLogisticRegression(epsilon, nodes=nodes, bounds=bounds, classes=np.unique(labels).tolist())
            name = "estimator, one node" if nodes == 1 else f"estimator, {nodes} nodes"
            found[name, epsilon] = 1.0 - model.fit(x, y).score(x_test, y_test)
        other = objective_perturbation(features.rows(x), signs, epsilon, seed)
        missed = other.metrics(features.rows(x_test), signs_test, "error_rate")["error_rate"]
        found["objective perturbation, δ = 0", epsilon] = missed
    return found


def measure(data):
    """Return mean and standard deviation of every method's test error over splits."""
    *given, splits = data
    table = pd.DataFrame([errors_of_split(*given, seed) for seed in range(splits)])
    return {
        "rows": given[-1],
        "features": given[0].shape[1],
        "splits": splits,
        "errors": [
            {"method": method, "epsilon": None if pd.isna(epsilon) else epsilon, "mean": mean, "std": std}
            for (method, epsilon), mean, std in zip(table.columns, table.mean(), table.std(), strict=True)
        ],
    }


def digits():
    """Return the digits as rows of norm at most 1, odd against even ones."""
    table, labels = load_digits(return_X_y=True)
    names = [str(place) for place in range(table.shape[1])]
    return BoundedFeatures.declared((0, 16), "largest", names).rows(table), np.where(labels % 2, 1.0, -1.0)


def choice(runs):
    """Return test errors by the standard deviation that noise gives to a weight, on data shown nowhere else."""
    built = {source.name: source.build(raw_folder(source)) for source in (Bank(), DefaultOfCreditCards())}
    data = {"digits, odd or even": digits(), **{name: (each.matrix, each.labels) for name, each in built.items()}}
    rows = []
    for (name, (table, labels)), epsilon in product(data.items(), (0.5, 2.0)):
        train = 3 * len(labels) // 4
        made = Training.of(train, table.shape[1], 2, 1, epsilon, 1e-5)
        for deviation, run in product(DEVIATIONS, range(runs)):
            order = np.random.default_rng(run).permutation(len(labels))
            with patch.object(training, "NOISE_OF_A_WEIGHT", deviation):
                found = made.research(table[order[:train]], labels[order[:train]], run).classifier
            missed = found.metrics(table[order[train:]], labels[order[train:]], "error_rate")["error_rate"]
            rows.append({"data": name, "epsilon": epsilon, "deviation": deviation, "error": missed})
    mean = pd.DataFrame(rows).groupby(["data", "epsilon", "deviation"], sort=False)["error"].mean()
    return mean.reset_index().to_dict("records")


def markdown_of_choice(results):
    """Return the table of these choices in docs/estimator.md."""
    table = pd.DataFrame(results).pivot_table(index=["data", "epsilon"], columns="deviation", values="error")
    lines = [
        f"| data | ε | {' | '.join(f'{each:g}' for each in table.columns)} |",
        "|---" * (2 + len(table.columns)) + "|",
    ]
    for (name, epsilon), errors in table.iterrows():
        lines.append(f"| {name} | {epsilon:g} | {' | '.join(f'{error:.3f}' for error in errors)} |")
    return "\n".join(lines) + "\n"


def markdown(results):
    """Return the tables of test errors in docs/estimator.md."""
    lines = []
    for name, found in results.items():
        errors = pd.DataFrame(found["errors"])
        shown = errors.assign(
            text=[f"{mean:.3f} ± {std:.3f}" for mean, std in zip(errors["mean"], errors["std"], strict=True)]
        )
        methods = dict.fromkeys(shown.loc[shown["epsilon"].notna(), "method"])
        lines += [f"{name}: {found['rows']:,} training rows, {found['features']} columns, {found['splits']} splits", ""]
        lines += [f"| ε | {' | '.join(methods)} |", f"|---{'|---' * len(methods)}|"]
        for epsilon, part in shown.dropna().groupby("epsilon"):
            texts = part.set_index("method")["text"]
            lines.append(f"| {epsilon:g} | {' | '.join(texts[method] for method in methods)} |")
        plain = shown[shown["epsilon"].isna()].set_index("method")["mean"]
        lines += ["", "; ".join(f"{method}: {mean:.3f}" for method, mean in plain.items()) + ".", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--output", type=Path, default=STORED)
    arguments = parser.parse_args()
    made = {"choice": choice(arguments.splits)}
    print(markdown_of_choice(made["choice"]))
    data = {"Adult": adult(arguments.splits), "Breast cancer": breast_cancer(4 * arguments.splits)}
    made["errors"] = {name: measure(each) for name, each in data.items()}
    print(markdown(made["errors"]))
    write_json(arguments.output, made, vouch=False)
