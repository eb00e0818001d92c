"""Test metrics against scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, log_loss, recall_score, roc_auc_score

import radmm
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.softmax import Softmax
from radmm.model.losses.squared import Squared
from radmm.outcome.scores import TEST_METRICS, is_likelihood, metrics, probabilities


def made(seed, rows, classes=None, ties=False):
    rng = np.random.default_rng(seed)
    shape = rows if classes is None else (rows, classes)
    scores = rng.normal(0.3, 2.0, shape)
    scores = np.round(scores * 2) / 2 + 0.1 if ties else scores  # ties between rows, none of them at 0
    labels = rng.choice([-1, 1], rows) if classes is None else rng.integers(classes, size=rows)
    labels[: 2 if classes is None else classes] = [-1, 1] if classes is None else np.arange(classes)
    return scores, labels


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(4, 60), ties=st.booleans())
def test_two_classes(seed, rows, ties):
    scores, labels = made(seed, rows, ties=ties)
    found = metrics(scores, labels, Logistic())
    predicted = np.where(scores > 0, 1, -1)
    expected = {
        "error_rate": 1 - accuracy_score(labels, predicted),
        "auc": roc_auc_score(labels, scores),
        "log_loss": log_loss(labels, 1 / (1 + np.exp(-scores)), labels=[-1, 1]),
        "class_error[-1]": 1 - recall_score(labels, predicted, pos_label=-1),
        "class_error[1]": 1 - recall_score(labels, predicted, pos_label=1),
    }
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_several_classes(seed):
    scores, labels = made(seed, 80, classes=4)
    chances = probabilities(scores, Softmax(4))
    found = metrics(scores, labels, Softmax(4))
    recalls = recall_score(labels, scores.argmax(axis=1), average=None)
    expected = {
        "error_rate": 1 - accuracy_score(labels, scores.argmax(axis=1)),
        "auc": np.mean([roc_auc_score(labels == place, scores[:, place]) for place in range(4)]),
        "log_loss": log_loss(labels, chances),
    } | {f"class_error[{place}]": 1 - recall for place, recall in enumerate(recalls)}
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_score_of_zero_is_a_mistake_as_in_a_trace():
    assert metrics(np.zeros(3), [1, -1, 1], Logistic(), ["error_rate"]) == {"error_rate": 1.0}


def test_one_class_alone_has_no_curve():
    assert np.isnan(metrics(np.array([0.5, 1.0]), [1, 1], Logistic(), ["auc"])["auc"])


@pytest.mark.parametrize("loss", [Logistic(), Softmax(2), Softmax(5)])
def test_a_likelihood_is_known_by_its_values(loss):
    assert is_likelihood(loss)


@pytest.mark.parametrize("loss", [HuberHinge(), Squared()])
def test_a_loss_that_is_no_likelihood_has_no_probabilities(loss):
    assert not is_likelihood(loss)
    assert "log_loss" not in metrics(np.ones(2), [1, -1], loss)
    with pytest.raises(radmm.InputError, match=f"loss = {loss.name}: it gives no probabilities"):
        metrics(np.ones(2), [1, -1], loss, ["log_loss"])


@pytest.mark.parametrize(
    ("labels", "names", "message"),
    [
        ([1, 0], [], r"labels\[1\] = 0: must be \+1 or -1"),
        ([1], [], "must have one entry for each of 2 rows"),
        ([1, -1], ["accuracy"], f"metric = 'accuracy': must be one of {', '.join(TEST_METRICS)}"),
    ],
)
def test_what_is_refused(labels, names, message):
    with pytest.raises(radmm.InputError, match=message):
        metrics(np.ones(2), labels, Logistic(), names)
