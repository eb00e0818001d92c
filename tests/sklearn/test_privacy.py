"""The guarantee of a fit: its ε by other ways, what a row can change, and what else a fitted estimator tells."""

import math
import pickle

import numpy as np
import pytest
from scipy.stats import chi2, norm

import radmm
from radmm.privacy.guarantee import guarantee_of
from radmm.publication import grid_oracle
from radmm.sklearn import PrivacyWarning, PrivateLogisticRegression
from radmm.sklearn.training import ITERATIONS, MOMENTUM, Training

BOUNDS, CLASSES, DELTA = (-3.0, 3.0), ["no", "yes"], 1e-5
research = pytest.mark.filterwarnings("ignore:random_state")


def table(rows=60, columns=3, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, columns))
    return x, np.where(x[:, 0] + rng.standard_normal(rows) > 0, "yes", "no")


def fitted(x, y, **options):
    return PrivateLogisticRegression(**{"bounds": BOUNDS, "classes": CLASSES, **options}).fit(x, y)


@research
@pytest.mark.parametrize(("nodes", "classes"), [(1, CLASSES), (4, CLASSES), (1, ["maybe", *CLASSES])])
def test_a_research_fit_spends_what_radmm_says_and_what_gaussian_privacy_says(nodes, classes):
    x, y = table(rows=61)
    model = fitted(x, y, epsilon=2.0, nodes=nodes, classes=classes, random_state=0)
    (sigma,) = {each.scale for each in model.ledger_.releases}
    assert model.ledger_.which.shape == (ITERATIONS, nodes)
    training = Training.of(61, 4, len(classes), nodes, 2.0, DELTA)
    labels = np.where(y == "yes", 1.0, -1.0) if len(classes) == 2 else np.where(y == "yes", 2.0, 1.0)
    problem = training.problem(np.zeros((61, 4)), labels)
    noise = radmm.GradientNoise(sigma=sigma)
    told = radmm.epsilon(problem, training.network, training.algorithm(noise), noise, ITERATIONS, DELTA)
    assert float(model.epsilon_) == float(told) == guarantee_of(model.ledger_, DELTA)
    assert 1.98 < model.epsilon_ <= 2.0
    # ITERATIONS Gaussian answers whose sensitivity is twice a row's largest gradient, of weight N/n, are one with μ.
    slope = 1.0 if len(classes) == 2 else math.sqrt(2.0)
    mu = math.sqrt(ITERATIONS) * 2.0 * slope * nodes / 61 / sigma
    spent = norm.cdf(mu / 2 - told / mu) - math.exp(told) * norm.cdf(-mu / 2 - told / mu)
    assert spent == pytest.approx(DELTA, rel=1e-3)


@pytest.mark.parametrize("nodes", [1, 4])
def test_a_release_spends_what_its_label_says_and_no_less_than_its_ledger(nodes):
    model = fitted(*table(), epsilon=2.0, nodes=nodes)
    assert model.epsilon_ == model.release_.guarantee == model.release_.label["privacy_loss"]["epsilon"]
    assert 1.98 < model.epsilon_ <= 2.0
    assert guarantee_of(model.ledger_, DELTA) < model.epsilon_ < 1.15 * guarantee_of(model.ledger_, DELTA)
    rho = ITERATIONS * (2.0 * nodes / 60) ** 2 / (2.0 * model.ledger_.releases[0].scale ** 2)
    assert rho == pytest.approx(float(model.release_.label["privacy_loss"]["rho"]), rel=2e-3)  # but for the grid
    assert model.epsilon_ < rho + 2.0 * math.sqrt(rho * math.log(1.0 / DELTA))  # Bun and Steinke's simpler bound


ODD_ROWS = [
    ([np.nan] * 3, "yes"),
    ([np.inf, -np.inf, np.nan], "no"),
    ([1e300, -1e300, 1e-300], "yes"),
    ([3.0, 3.0, 3.0], "yes"),
    ([-3.0, -3.0, -3.0], "no"),
    ([0.0, 0.0, 0.0], "neither"),
]


@pytest.mark.parametrize("nodes", [1, 4])
def test_no_row_moves_an_answer_by_more_than_its_sensitivity(nodes, monkeypatch):
    """The answers at f = 0, without noise and in steps of the grid, with a row replaced by the oddest ones."""
    answers = []

    def exact(values, _scale):
        answers.append(values)
        return values

    monkeypatch.setattr(grid_oracle, "add_discrete_gaussian", exact)
    x, y = table()
    x[7], y[7] = [3.0, 3.0, 3.0], "no"
    first = []
    for row, label in [(x[7].copy(), "no"), *ODD_ROWS]:
        x[7], y = row, np.array([*y[:7], label, *y[8:]])
        answers.clear()
        model = fitted(x, y, nodes=nodes)
        first.append(np.array(answers[:nodes]))
    (kind,) = model.release_.label["algorithm"]["answers"]
    (allowed,) = (each["sensitivity"] for each in kind["answers"])
    moved = np.array([np.linalg.norm(each - first[0], axis=1) for each in first])
    assert (moved.max(axis=0) > 0).sum() == 1  # one node alone has the row, whatever it holds
    assert 0.4 * allowed < moved.max() <= allowed


@pytest.mark.parametrize("random_state", [None, 3])
@research
def test_other_rows_change_nothing_but_the_weights(random_state):
    """All that a fitted estimator has, from two tables of the same size, column names and declarations."""
    models = [fitted(*table(seed=seed), random_state=random_state) for seed in (0, 1)]
    told = [
        {name: pickle.dumps(value) for name, value in vars(model).items() if name not in ("_classifier", "release_")}
        for model in models
    ]
    assert {name for name in told[0] if told[0][name] != told[1][name]} == {"coef_", "intercept_"}
    assert str(models[0].epsilon_) == str(models[1].epsilon_)
    for model in models:
        np.testing.assert_array_equal(model.coef_[0], model._classifier.weights[:-1] / 3.0)
    if random_state is None:
        assert models[0].release_.label == models[1].release_.label
        assert models[0].release_.classifier.columns == models[1].release_.classifier.columns
    larger = fitted(*table(rows=6000), random_state=random_state)  # of whose rows nothing is kept
    assert len(pickle.dumps(models[0])) == pytest.approx(len(pickle.dumps(larger)), abs=300)


def spread_of_noise(iterations=ITERATIONS):
    """Of a weight, if every gradient is noise: the last draws have not come to their full effect."""
    ages = np.arange(1, iterations + 1)
    return math.sqrt(np.mean((1.0 - MOMENTUM**ages) ** 2))


@research
@pytest.mark.parametrize(("nodes", "random_state"), [(1, 0), (5, None)])
def test_all_noise_together_moves_a_weight_by_about_one(nodes, random_state):
    """Rows without a declared label are rows of zeros, so that weights are noise alone."""
    x, _ = table(rows=50, columns=400)
    model = fitted(x, np.full(50, "neither"), nodes=nodes, random_state=random_state)
    found = (model._classifier.weights**2).sum() / spread_of_noise() ** 2
    least, most = chi2(401).ppf([1e-6, 1.0 - 1e-6])
    assert least < found < most
    assert 0.9 < spread_of_noise() < 1.0


@research
def test_a_row_without_a_declared_label_contributes_nothing():
    """With little noise: the same rows with a label would have weights far from zero."""
    x, _ = table(rows=500)
    options = {"epsilon": 1e5, "random_state": 0}
    ignored, counted = (fitted(x, np.full(500, label), **options)._classifier.weights for label in ("neither", "yes"))
    assert np.abs(ignored).max() < 0.5
    assert counted[-1] > 5.0


def test_with_little_noise_the_step_is_stable():
    """Half of the limit; else `radmm.solve` would warn of it."""
    for nodes in (1, 2, 3, 50):
        training = Training.of(1000, 5, 2, nodes, 1e6, DELTA)
        step = training.algorithm(radmm.GradientNoise(sigma=1e-9)).step
        assert training.algorithm(radmm.GradientNoise(sigma=1e-8)).step == step
        limit = (1.0 + training.network.least_mixing) * (1.0 + MOMENTUM) / training.facts.largest_curvature()
        assert step == pytest.approx(limit / 2)


def test_rows_are_spread_evenly_by_position():
    training = Training.of(11, 2, 2, 3, 1.0, DELTA)
    places = np.arange(11.0)
    problem = training.problem(np.column_stack([places, np.ones(11)]) / 100, np.ones(11))
    mirrored = training.problem(np.column_stack([places[::-1], np.ones(11)]) / 100, -np.ones(11))
    assert problem.row_counts.tolist() == [4, 4, 3]
    found, other = (np.rint(np.abs(each.rows.toarray()[:, 0]) * 100) for each in (problem, mirrored))
    assert sorted(found) == sorted(other) == places.tolist()
    np.testing.assert_array_equal(other, 10 - found)  # a position, not its content, decides
    assert found.tolist() != sorted(found)  # else rows sorted by label would be a skewed partition


def test_bounds_from_the_data_give_no_guarantee():
    x, y = table()
    with pytest.warns(PrivacyWarning, match="^bounds = 'from data': there is no guarantee, as bounds that were taken"):
        model = fitted(x, y, bounds="from data")
    assert model.epsilon_ == math.inf
    assert str(model.epsilon_).startswith("ε = inf in total")
    assert "there is no guarantee, as bounds that were taken from the data" in str(model.epsilon_)
    assert model.release_ is None


@research
def test_what_epsilon_does_not_cover_is_said_beside_it():
    x, y = table()
    declared, found, seeded = fitted(x, y), fitted(x, y, classes=None), fitted(x, y, random_state=1)
    assert "if bounds, classes and the number of rows are public" in str(declared.epsilon_)
    assert "set of classes" not in str(declared.epsilon_)
    caveat = "Not covered by ε: the set of classes was taken from the data."
    assert caveat.rstrip(".") in str(found.epsilon_)
    assert caveat in found.release_.label["assumptions"]
    assert caveat not in declared.release_.label["assumptions"]
    assert "for whoever doesn't know random_state" in str(seeded.epsilon_)
    assert "random_state" not in str(declared.epsilon_)
