"""What a result gives: a classifier that can be kept, metrics at the last iteration, a picture."""

import json

import numpy as np
import pytest

import radmm
from tests.conftest import make_data


@pytest.fixture(scope="module")
def solved():
    features, labels, node = make_data(row_counts=(30, 40, 35, 45))
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    network = radmm.Network([[0, 1], [1, 2], [2, 3], [1, 3]])
    test = make_data(seed=1, row_counts=(50,))[:2]
    noise = radmm.ObjectiveNoise(sigma=2.0)
    result = radmm.solve(
        problem, network, radmm.RADMM(), noise=noise, iterations=7, runs=3, test=test, keep_iterates=True
    )
    return result, test


def test_the_last_iterates_are_there_without_the_others(solved):
    result, _ = solved
    np.testing.assert_array_equal(result.last, result.primal[:, -1])


def test_of_the_average_or_of_a_node(solved):
    result, _ = solved
    np.testing.assert_array_equal(result.classifier(run=1).weights, result.primal[1, -1].mean(axis=0))
    np.testing.assert_array_equal(result.classifier(run=2, node=3).weights, result.primal[2, -1, 3])


def test_error_rate_is_the_traces(solved):
    result, test = solved
    told = result.metrics("error_rate", "auc")
    last = result.trace.query("iteration == 7").set_index("run")["error_rate"]
    assert list(told.columns) == ["error_rate", "auc"]
    np.testing.assert_allclose(told["error_rate"], last, rtol=0, atol=1e-15)
    other = result.metrics("error_rate", test=(test[0][:10], test[1][:10]))
    predicted = result.classifier(0).predict(test[0][:10])
    assert other["error_rate"][0] == pytest.approx(np.mean(predicted != test[1][:10]))


def test_a_round_trip_keeps_every_digit(solved, tmp_path):
    result, (features, _) = solved
    plain = result.classifier()
    named = radmm.Classifier(plain.weights, plain.loss, ("a", "b", "c", "d"), ("no", "yes"), {"epsilon": 1.5})
    named.save(tmp_path / "f.json")
    read = radmm.Classifier.load(tmp_path / "f.json")
    np.testing.assert_array_equal(read.weights, plain.weights)
    assert (read.columns, read.classes, dict(read.made)) == (("a", "b", "c", "d"), ("no", "yes"), {"epsilon": 1.5})
    assert set(read.predict(features)) <= {"no", "yes"}
    np.testing.assert_array_equal(read.predict(features) == "yes", plain.predict(features) == 1)
    np.testing.assert_array_equal(read.probabilities(features), plain.probabilities(features))


def test_several_classes(tmp_path):
    rng = np.random.default_rng(0)
    features = rng.standard_normal((120, 2)) / 4
    labels = (features @ rng.standard_normal((2, 3))).argmax(axis=1)
    problem = radmm.Problem(features, labels, np.arange(120) % 2, loss="softmax", C=30.0, rho=0.01)
    result = radmm.solve(problem, radmm.Network([[0, 1], [1, 0]]), radmm.ADMM(), runs=2, test=(features, labels))
    last = result.trace.query("iteration == 50")["error_rate"].to_numpy()
    np.testing.assert_allclose(result.metrics("error_rate")["error_rate"], last, rtol=0, atol=1e-15)
    assert last.max() < 0.2
    assert list(result.metrics("class_error")) == ["class_error[0]", "class_error[1]", "class_error[2]"]
    result.classifier().save(tmp_path / "f.json")
    read = radmm.Classifier.load(tmp_path / "f.json")
    np.testing.assert_array_equal(read.predict(features), result.classifier().predict(features))
    np.testing.assert_allclose(read.probabilities(features).sum(axis=1), 1.0, rtol=1e-12)


def broken(**changes):
    return (
        {"format": "radmm classifier 1", "loss": {"name": "logistic"}, "columns": None, "classes": None, "made": {}}
        | {"weights": [1.0]}
        | changes
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file or directory: must be the file of a classifier"),
        ("not JSON", "is no classifier: must be a file that Classifier.save wrote"),
        ("[1]", "is no classifier"),
        (json.dumps(broken(format="another")), "is no classifier"),
        (json.dumps(broken(loss={"name": "logistc"})), "loss = 'logistc': must be one of .*did you mean logistic"),
        (json.dumps(broken(loss={"name": "logistic", "x": 1})), "can't be read: .*argument"),
        (json.dumps(broken(weights=[])), "weights must be finite numbers"),
        (json.dumps(broken(weights=["a"])), "can't be read"),
        (json.dumps(broken(columns=["a", "b"])), "columns has 2 entries: must have 1"),
        (json.dumps(broken(weights=[float("nan")])), "weights must be finite numbers"),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(tmp_path, text, message):
    path = tmp_path / "f.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(radmm.InputError, match=message):
        radmm.Classifier.load(path)


def test_what_is_refused(solved):
    result, _ = solved
    for call, message in (
        (lambda: result.classifier(run=3), "run = 3: must be from 0 to 2"),
        (lambda: result.classifier(node=4), "node = 4: must be from 0 to 3"),
        (lambda: result.classifier().predict(np.eye(3)), "features has 3 columns: must have 4"),
        (lambda: result.plot("distance"), "metric = 'distance': must be one of loss"),
        (lambda: radmm.Result({}, []).metrics(), "test = None: must be a pair"),
    ):
        with pytest.raises(radmm.InputError, match=message):
            call()


def test_a_loss_without_a_name_cant_be_saved(tmp_path):
    class Own:
        def value(self, margin):
            return margin

    with pytest.raises(radmm.InputError, match="loss = Own: must have a registered name"):
        radmm.Classifier(np.ones(2), Own()).save(tmp_path / "f.json")


def test_the_picture_has_a_panel_for_each_metric(solved, tmp_path):
    result, _ = solved
    figure = result.plot()
    assert [axes.get_ylabel() for axes in figure.axes] == ["training loss", "test error"]  # Gaussian: no paper's bound
    mean = result.trace.groupby("iteration")["loss"].mean()
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), mean, rtol=1e-14)
    assert [axes.get_ylabel() for axes in result.plot("consensus").axes] == ["distance between nodes"]
    figure.savefig(tmp_path / "trace.png")
