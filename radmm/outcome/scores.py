"""Test metrics of a classifier's scores: f·x of each row, or one column for each of several classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import as_vector, shown
from radmm.model.losses.loss import Loss

MARGINS = np.linspace(-8.0, 8.0, 33)  # at which a loss is tried for being a log-likelihood


def metrics(scores: Array, labels: ArrayLike, loss: Loss, names: Sequence[str] = ()) -> dict[str, float]:
    """Metrics of choice by name; one that is told for each class has the class in its name.

    Args:
        scores: (row,), or (row, class) of several classes.
        labels: +1 or −1 for each row, or 0, 1, … of several classes.
        loss: What was minimised.
        names: Which; all that the loss allows if there are none.
    """
    label = _read_labels(labels, scores)
    for name in names:
        if name not in METRICS:
            raise InputError(f"metric = {shown(name)}: must be one of {', '.join(METRICS)}")
    told = names or [name for name in METRICS if name != "log_loss" or is_likelihood(loss)]
    found: dict[str, float] = {}
    for name in told:
        found |= METRICS[name](scores, label, loss)
    return found


def probabilities(scores: Array, loss: Loss) -> Array:
    """Of +1, (row,), or of each class, (row, class).

    Args:
        scores: In the same shape.
        loss: What was minimised: the negative logarithm of a likelihood.
    """
    if not is_likelihood(loss):
        name = getattr(loss, "name", type(loss).__name__)
        raise InputError(f"loss = {name}: it has no probabilities, as it is no negative log-likelihood")
    if scores.ndim == 1:
        chance: Array = np.exp(-loss.value(scores))
        return chance
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def is_likelihood(loss: Loss) -> bool:
    """Whether e^−L(z) and e^−L(−z) are the chances of two classes: at every margin they sum to one.

    Args:
        loss: Any loss of a margin.
    """
    total = np.exp(-loss.value(MARGINS)) + np.exp(-loss.value(-MARGINS))
    return bool(np.allclose(total, 1.0, rtol=0.0, atol=1e-12))


def _read_labels(labels: Any, scores: Array) -> NDArray[Any]:
    """Checked, as the number of each row's class: 0 or 1 for −1 and +1."""
    label = as_vector("labels", labels, len(scores))
    known = np.array([-1.0, 1.0]) if scores.ndim == 1 else np.arange(scores.shape[1], dtype=np.float64)
    wrong = np.flatnonzero(~np.isin(label, known))
    if len(wrong):
        wanted = "+1 or -1" if scores.ndim == 1 else f"0 to {scores.shape[1] - 1}"
        raise InputError(f"labels[{wrong[0]}] = {label[wrong[0]]:g}: must be {wanted}")
    return np.searchsorted(known, label)


def _mistakes(scores: Array, label: NDArray[Any]) -> NDArray[np.bool_]:
    """As a trace counts them: a margin that is not positive is one."""
    if scores.ndim == 1:
        wrong: NDArray[np.bool_] = np.where(label == 1, scores, -scores) <= 0
        return wrong
    return np.asarray(scores.argmax(axis=1) != label)


def _error_rate(scores: Array, label: NDArray[Any], _loss: Loss) -> dict[str, float]:
    return {"error_rate": float(_mistakes(scores, label).mean())}


def _class_error(scores: Array, label: NDArray[Any], _loss: Loss) -> dict[str, float]:
    """The share of each class's rows that are put into another."""
    names = (-1, 1) if scores.ndim == 1 else range(scores.shape[1])
    wrong = _mistakes(scores, label)
    there = [place for place in range(len(names)) if (label == place).any()]
    return {f"class_error[{names[place]}]": float(wrong[label == place].mean()) for place in there}


def _auc(scores: Array, label: NDArray[Any], _loss: Loss) -> dict[str, float]:
    """The area under the ROC curve; of several classes the mean of each against the rest."""
    if scores.ndim == 1:
        return {"auc": _area(scores, label == 1)}
    areas = [_area(scores[:, place], label == place) for place in range(scores.shape[1])]
    return {"auc": float(np.mean(areas))}


def _area(scores: Array, positive: NDArray[np.bool_]) -> float:
    """The chance that a positive row has the larger score, ties counting half: Mann and Whitney's statistic."""
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2.0)[place]
    many, few = int(positive.sum()), int((~positive).sum())
    if not many or not few:
        return float("nan")  # one class alone has no such curve
    return float((rank[positive].sum() - many * (many + 1) / 2.0) / (many * few))


def _log_loss(scores: Array, label: NDArray[Any], loss: Loss) -> dict[str, float]:
    """The mean negative logarithm of the chance that each row's class was given."""
    if scores.ndim == 1:
        probabilities(scores[:0], loss)  # refuses a loss that has none
        return {"log_loss": float(loss.value(np.where(label == 1, scores, -scores)).mean())}
    top = scores.max(axis=1)
    total = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    return {"log_loss": float((total - scores[np.arange(len(label)), label]).mean())}


METRICS: dict[str, Callable[[Array, NDArray[Any], Loss], dict[str, float]]] = {
    "error_rate": _error_rate,
    "auc": _auc,
    "log_loss": _log_loss,
    "class_error": _class_error,
}
