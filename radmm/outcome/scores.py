"""Test metrics of a classifier's scores: f·x of each row, or one column for each of several classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import as_vector, shown
from radmm.model.labels import read_classes, read_signs
from radmm.model.losses.loss import Loss, is_multiclass

TRIED = np.linspace(-8.0, 8.0, 33)  # scores at which a loss is tried for being a log-likelihood


def metrics(scores: Array, labels: ArrayLike, loss: Loss, names: Sequence[str] = ()) -> dict[str, float]:
    """Compute test metrics by name; a metric that has one value for each class gets the class in its name.

    Args:
        scores: Scores, (row,), or (row, class) with several classes.
        labels: +1 or −1 for each row, or 0, 1, … with several classes.
        names: Metrics to compute; all that the loss allows if none is given.
    """
    label = _read_labels(labels, scores)
    for name in names:
        if name not in TEST_METRICS:
            raise InputError(f"metric = {shown(name)}: must be one of {', '.join(TEST_METRICS)}")
    wanted = names or [name for name in TEST_METRICS if name != "log_loss" or is_likelihood(loss)]
    found: dict[str, float] = {}
    for name in wanted:
        found |= TEST_METRICS[name](scores, label, loss)
    return found


def probabilities(scores: Array, loss: Loss) -> Array:
    """Return the probability of +1, (row,), or of each class, (row, class).

    Args:
        scores: Scores, in the same shape.
        loss: Loss that was minimised, which must be a negative log-likelihood.
    """
    if not is_likelihood(loss):
        name = getattr(loss, "name", type(loss).__name__)
        raise InputError(f"loss = {name}: it gives no probabilities, as it is not a negative log-likelihood")
    if scores.ndim == 1:
        return np.exp(-_losses(scores, np.ones(len(scores), dtype=np.int64), loss))
    return _chances(scores, loss)


def is_likelihood(loss: Loss) -> bool:
    """Return whether the loss is a negative log-likelihood: over the classes, e^−L sums to one at all scores."""
    scores = TRIED if not is_multiclass(loss) else np.stack([TRIED * k for k in range(loss.outputs)], axis=1)
    return bool(np.allclose(_chances(scores, loss).sum(axis=1), 1.0, rtol=0.0, atol=1e-12))


def _chances(scores: Array, loss: Loss) -> Array:
    """Return e^−L of each row for each class, (row, class), as if that class were the row's own."""
    classes = 2 if scores.ndim == 1 else scores.shape[1]
    rows = len(scores)
    return np.exp(-np.stack([_losses(scores, np.full(rows, label), loss) for label in range(classes)], axis=1))


def _losses(scores: Array, label: NDArray[Any], loss: Loss) -> Array:
    """Return L of each row, given the number of its class."""
    if scores.ndim == 1:
        return loss.value(np.where(label == 1, scores, -scores))
    own = scores[np.arange(len(label)), label]
    return loss.value((own[:, None] - scores).T)  # a margin for each class, (class, row)


def _read_labels(labels: Any, scores: Array) -> NDArray[Any]:
    """Validate labels and return the number of each row's class: 0 or 1 for −1 and +1."""
    label = as_vector("labels", labels, len(scores))
    return (read_signs(label) > 0).astype(np.int64) if scores.ndim == 1 else read_classes(label, scores.shape[1])[0]


def _mistakes(scores: Array, label: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which rows are misclassified; as in a trace, a margin that is not positive counts."""
    if scores.ndim == 1:
        wrong: NDArray[np.bool_] = np.where(label == 1, scores, -scores) <= 0
        return wrong
    own = np.arange(scores.shape[1]) == label[:, None]
    return np.asarray(scores[own] <= np.where(own, -np.inf, scores).max(axis=1))


def _error_rate(scores: Array, label: NDArray[Any], _loss: Loss) -> dict[str, float]:
    return {"error_rate": float(_mistakes(scores, label).mean())}


def _class_error(scores: Array, label: NDArray[Any], _loss: Loss) -> dict[str, float]:
    """Return the share of each class's rows that are misclassified."""
    names = (-1, 1) if scores.ndim == 1 else range(scores.shape[1])
    wrong = _mistakes(scores, label)
    there = [place for place in range(len(names)) if (label == place).any()]
    return {f"class_error[{names[place]}]": float(wrong[label == place].mean()) for place in there}


def _auc(scores: Array, label: NDArray[Any], _loss: Loss) -> dict[str, float]:
    """Return the area under the ROC curve; with several classes the mean over each against the rest."""
    if scores.ndim == 1:
        return {"auc": _area(scores, label == 1)}
    areas = [_area(scores[:, place], label == place) for place in range(scores.shape[1])]
    return {"auc": float(np.mean(areas))}


def _area(scores: Array, positive: NDArray[np.bool_]) -> float:
    """Return the chance that a positive row has the larger score, ties counting half: the Mann–Whitney statistic."""
    rank = pd.Series(scores).rank().to_numpy()  # ties share the mean of their ranks
    many, few = int(positive.sum()), int((~positive).sum())
    if not many or not few:
        return float("nan")  # one class alone has no such curve
    return float((rank[positive].sum() - many * (many + 1) / 2.0) / (many * few))


def _log_loss(scores: Array, label: NDArray[Any], loss: Loss) -> dict[str, float]:
    """Return the mean negative logarithm of the probability given to each row's class."""
    probabilities(scores[:0], loss)  # refuses a loss that has none
    return {"log_loss": float(_losses(scores, label, loss).mean())}


TEST_METRICS: dict[str, Callable[[Array, NDArray[Any], Loss], dict[str, float]]] = {
    "error_rate": _error_rate,
    "auc": _auc,
    "log_loss": _log_loss,
    "class_error": _class_error,
}
