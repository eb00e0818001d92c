"""`PrivateLogisticRegression` as scikit-learn's users meet it."""

import subprocess
import sys

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import radmm
from radmm.base.errors import InputError
from radmm.publication import discrete_noise
from radmm.sklearn import PrivacyWarning, PrivateLogisticRegression
from radmm.sklearn.training import ITERATIONS, MOMENTUM, RHO, Training

research = pytest.mark.filterwarnings("ignore:random_state")


def people(rows=400):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"age": rng.uniform(18, 90, rows), "hours": rng.uniform(0, 80, rows)})
    signal = (table["age"] - 50) / 20 + (table["hours"] - 40) / 20
    return table, np.where(signal + 0.3 * rng.standard_normal(rows) > 0, "rich", "poor")


BOUNDS = {"hours": (0, 100), "age": (0, 100)}


def test_a_table_with_names_and_words_as_labels():
    table, labels = people()
    model = PrivateLogisticRegression(epsilon=50.0, bounds=BOUNDS, scale="symmetric").fit(table, labels)
    assert model.classes_.tolist() == ["poor", "rich"]
    assert model.feature_names_in_.tolist() == ["age", "hours"]
    assert (model.n_features_in_, model.coef_.shape, model.intercept_.shape) == (2, (1, 2), (1,))
    assert model.score(table, labels) > 0.85
    chances, scores = model.predict_proba(table), model.decision_function(table)
    np.testing.assert_allclose(chances, np.column_stack([1 / (1 + np.exp(scores)), 1 / (1 + np.exp(-scores))]))
    linear = table.to_numpy() @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_array_equal(np.sign(scores), np.sign(linear))
    assert (np.abs(scores) <= np.abs(linear) * (1 + 1e-12)).all()
    assert set(model.predict(table)) == {"poor", "rich"}
    assert isinstance(model.epsilon_, radmm.Guarantee)
    assert isinstance(model.ledger_, radmm.Ledger)
    assert model.release_.classifier.columns == ("age", "hours", "intercept")
    assert model.release_.classifier.classes == ("poor", "rich")
    assert model.release_.label["recipe"]["bounds"] == {"age": [0.0, 100.0], "hours": [0.0, 100.0]}


def test_what_may_be_published_is_written_and_read_back(tmp_path):
    table, labels = people()
    model = PrivateLogisticRegression(bounds=BOUNDS).fit(table, labels)
    model.release_.save(tmp_path / "classifier.json")
    again = radmm.PublicRelease.load(tmp_path / "classifier.json")
    np.testing.assert_array_equal(again.weights, model.release_.weights)
    assert again.guarantee == model.epsilon_


@research
@pytest.mark.parametrize("classes", [2, 3])
def test_with_hardly_any_noise_it_is_gradient_descent_with_momentum(classes):
    """By a plain loop over all rows at once; nothing but the noise depends on random_state."""
    x, y = make_classification(3000, 4, n_informative=4, n_redundant=0, n_classes=classes, random_state=0)
    model = PrivateLogisticRegression(epsilon=1e6, bounds=(-9, 9), random_state=0).fit(x, y)
    rows = np.column_stack([x / 9, np.ones(3000)])
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    wanted = np.eye(classes)[y] if classes > 2 else y[:, None]
    weights = velocity = np.zeros((wanted.shape[1], 5))
    step = (1.0 + MOMENTUM) / ((0.25 if classes == 2 else 0.5) + RHO)
    for _ in range(ITERATIONS):
        scores = rows @ weights.T
        chances = 1 / (1 + np.exp(-scores)) if classes == 2 else np.exp(scores) / np.exp(scores).sum(axis=1)[:, None]
        velocity = MOMENTUM * velocity - step * ((chances - wanted).T @ rows / 3000 + RHO * weights)
        weights = weights + velocity
    noise = step / (1.0 - MOMENTUM) * model.ledger_.releases[0].scale * np.sqrt(ITERATIONS)  # of a weight, at most
    assert noise < 0.01
    np.testing.assert_allclose(np.atleast_2d(model._classifier.weights), weights, rtol=0.0, atol=5.0 * noise)
    assert np.abs(weights).max() > 500 * noise


def test_with_many_rows_it_is_nearly_as_good_as_without_privacy():
    x, y = make_classification(20_000, 10, n_informative=6, random_state=0)
    private = PrivateLogisticRegression(epsilon=1.0, bounds=(-8, 8), classes=[0, 1])
    assert private.fit(x[:15_000], y[:15_000]).score(x[15_000:], y[15_000:]) > 0.98 * (
        LogisticRegression().fit(x[:15_000], y[:15_000]).score(x[15_000:], y[15_000:])
    )


def test_more_than_two_classes_are_softmax_regression():
    x, y = load_iris(return_X_y=True)
    model = PrivateLogisticRegression(epsilon=1e3, bounds=(0, 8)).fit(x, y)
    assert model.coef_.shape == (3, 4)
    np.testing.assert_allclose(model.predict_proba(x).sum(axis=1), 1.0)
    assert model.score(x, y) > 0.9
    assert model.release_.label["algorithm"]["grid"]["step"] > 0
    linear = x @ model.coef_.T + model.intercept_
    np.testing.assert_array_equal(model.classes_[linear.argmax(axis=1)], model.predict(x))


@research
def test_in_a_pipeline_and_a_search():
    table, labels = people()
    table["sector"] = np.where(np.arange(len(table)) % 3, "public", "private")
    sectors = OneHotEncoder(categories=[["private", "public"]], sparse_output=False)
    columns = make_column_transformer((sectors, ["sector"]), remainder="passthrough")
    private = PrivateLogisticRegression(bounds=([0, 0, 0, 0], [1, 1, 100, 100]), random_state=0)
    search = GridSearchCV(
        make_pipeline(columns, private), {"privatelogisticregression__epsilon": [0.01, 100.0]}, cv=2
    ).fit(table, labels)
    assert search.best_params_ == {"privatelogisticregression__epsilon": 100.0}
    assert search.best_estimator_[-1].coef_.shape == (1, 4)


def test_a_clone_has_the_same_parameters_and_nothing_else():
    model = PrivateLogisticRegression(2.0, 1e-6, radmm.Network(nx.path_graph(3)), (0, np.ones(2)), ["a", "b"])
    other = clone(model)
    assert {name: repr(value) for name, value in other.get_params().items()} == {
        name: repr(value) for name, value in model.get_params().items()
    }
    assert not [name for name in vars(other) if name.endswith("_")]


@pytest.mark.filterwarnings("ignore:random_state")
def test_a_network_of_ones_own_and_a_ring():
    table, labels = people()
    own = PrivateLogisticRegression(nodes=radmm.Network(nx.star_graph(4)), bounds=BOUNDS, random_state=0)
    assert own.fit(table, labels).ledger_.which.shape == (ITERATIONS, 5)
    for nodes, edges in ((1, 0), (2, 1), (3, 3), (7, 7)):
        network = Training.of(10, 2, 2, nodes, 1.0, 1e-5).network
        assert (network.nodes, network.adjacency.nnz) == (nodes, 2 * edges)


def test_a_number_as_random_state_repeats_a_fit_and_warns_of_it():
    table, labels = people()
    seeded = PrivateLogisticRegression(bounds=BOUNDS, random_state=7)
    with pytest.warns(PrivacyWarning, match="^random_state = 7: this fit is for research, as whoever knows"):
        first = seeded.fit(table, labels).coef_
    with pytest.warns(PrivacyWarning, match="for research"):
        assert first.tobytes() == clone(seeded).fit(table, labels).coef_.tobytes()
    assert seeded.release_ is None
    free = PrivateLogisticRegression(bounds=BOUNDS)
    first = free.fit(table, labels).coef_
    assert (first != free.fit(table, labels).coef_).all()


def test_no_row_is_refused_where_classes_are_declared():
    table, labels = people()
    table.iloc[:4, 0] = [np.nan, np.inf, -np.inf, 1e300]
    labels = labels.astype(object)
    labels[4:7] = ["neither", None, np.nan]
    model = PrivateLogisticRegression(bounds=BOUNDS, classes=["poor", "rich"]).fit(table, labels)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.predict_proba(table)).all()


TABLE, LABELS = people(rows=20)


@pytest.mark.parametrize(
    ("options", "labels", "sentence"),
    [
        ({"bounds": None}, LABELS, r"bounds = None: must be the \(lowest, highest\) value that each column can have"),
        ({"epsilon": 0}, LABELS, r"epsilon = 0: must be from 1e-12 to 1e\+06"),
        ({"epsilon": "1"}, LABELS, "epsilon = '1': must be a finite number"),
        ({"delta": 1.0}, LABELS, "delta = 1: must be above 0 and below 1"),
        ({"nodes": 0}, LABELS, "nodes = 0: must be a whole number, at least 1, or a radmm.Network"),
        ({"nodes": True}, LABELS, "nodes = True: must be a whole number"),
        ({"nodes": 21}, LABELS, "nodes = 21: must be at most 20, the number of rows"),
        ({"random_state": -1}, LABELS, "random_state = -1: must be a whole number, at least 0, or None"),
        ({"random_state": np.random.default_rng(0)}, LABELS, r"random_state = Generator\(PCG.*: must be a whole"),
        ({"classes": ["poor", "poor"]}, LABELS, r"classes = \['poor', 'poor'\]: must name each class once"),
        ({"classes": ["poor"]}, LABELS, "classes: must be at least two, but there is one class, 'poor'"),
        ({"classes": [0, 1]}, LABELS, r"classes = \[0, 1\]: must be of the type that y has, <U4"),
        ({"classes": ["poor", "rich"]}, np.ones(20), "classes = .*: must be of the type that y has, float64"),
        ({}, np.full(20, "poor"), "classes: must be at least two, but there is one class, 'poor'"),
    ],
)
def test_what_is_wrong_is_one_sentence(options, labels, sentence):
    with pytest.raises(InputError, match=f"^{sentence}"):
        PrivateLogisticRegression(**{"bounds": (0, 100), **options}).fit(TABLE, labels)


def test_without_opendp_only_research_is_possible(monkeypatch):
    monkeypatch.setattr(discrete_noise, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"^opendp is not installed: must be"):
        PrivateLogisticRegression(bounds=BOUNDS).fit(TABLE, LABELS)


def test_without_scikit_learn_there_is_one_sentence():
    code = "import sys; sys.modules['sklearn'] = None\ntry:\n import radmm.sklearn\nexcept ImportError as e:\n print(e)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "scikit-learn is not installed: must be, as radmm.sklearn extends it: radmm[sklearn]\n"


def test_nothing_else_of_radmm_loads_scikit_learn():
    code = "import radmm, radmm.__main__, sys; sys.exit('sklearn' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
