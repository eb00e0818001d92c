"""The linear classifier that a run ended with: it predicts, and is saved as JSON, which holds no code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import as_real_array
from radmm.base.regular_files import require_regular
from radmm.base.store import write_json
from radmm.model.losses.loss import LOSSES, Loss
from radmm.outcome.scores import metrics, probabilities

FORMAT = "radmm classifier 1"  # a number of its own for each layout of the file


@dataclass(frozen=True, eq=False)
class Classifier:
    """Linear classifier of one run after its last iteration, made of released values: using it costs no privacy.

    Args:
        weights: One number a feature, (d,); of several classes one row each, (classes, d).
        loss: Loss that was minimised; it tells whether scores are log odds.
        columns: Names of the features, where they are known.
        classes: Names of the classes, where they are known: those of −1 and +1, or one for each class.
        made: Provenance: the setting, the total ε, anything that JSON can hold.
    """

    weights: Array
    loss: Loss
    columns: tuple[str, ...] | None = None
    classes: tuple[Any, ...] | None = None
    made: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse parts that don't fit together."""
        if self.weights.ndim not in (1, 2) or not self.weights.size or not np.all(np.isfinite(self.weights)):
            raise InputError("weights must be finite numbers: one a feature, or one a class and feature")
        for name, given, wanted in (("columns", self.columns, self.features), ("classes", self.classes, self._labels)):
            if given is not None and len(given) != wanted:
                raise InputError(f"{name} has {len(given)} entries: must have {wanted}, as the weights have")

    def __repr__(self) -> str:
        return f"<Classifier: {self.features} features, {_name(self.loss)} loss>"

    @property
    def features(self) -> int:
        """Number of features that a row must have."""
        return int(self.weights.shape[-1])

    @property
    def _labels(self) -> int:
        return 2 if self.weights.ndim == 1 else len(self.weights)

    def scores(self, features: ArrayLike | scipy.sparse.sparray) -> Array:
        """Return f·x of each row, positive for the class +1; with several classes one column each.

        Args:
            features: A row for each record, prepared like the training rows.
        """
        rows = as_real_array("features", features, ndim=2)
        if rows.shape[1] != self.features:
            raise InputError(f"features has {rows.shape[1]} columns: must have {self.features}, as the training rows")
        scored: Array = np.asarray(rows @ self.weights.T, dtype=np.float64)
        return scored

    def predict(self, features: ArrayLike | scipy.sparse.sparray) -> NDArray[Any]:
        """Predict the class of each row.

        It is the class's name where names are known, else +1 or −1, or 0, 1, … with several classes.

        Args:
            features: A row for each record, prepared like the training rows.
        """
        scored = self.scores(features)
        place = (scored > 0).astype(np.int64) if scored.ndim == 1 else scored.argmax(axis=1)
        plain = np.array([-1, 1]) if scored.ndim == 1 else np.arange(scored.shape[1])
        predicted: NDArray[Any] = (plain if self.classes is None else np.array(self.classes))[place]
        return predicted

    def probabilities(self, features: ArrayLike | scipy.sparse.sparray) -> Array:
        """Return each row's probability of +1, or of each of several classes.

        The loss must be a negative log-likelihood.

        Args:
            features: A row for each record, prepared like the training rows.
        """
        return probabilities(self.scores(features), self.loss)

    def metrics(self, features: ArrayLike | scipy.sparse.sparray, labels: ArrayLike, *names: str) -> dict[str, float]:
        """Compute test metrics on labelled rows.

        Args:
            features: A row for each record, prepared like the training rows.
            labels: +1 or −1 for each row, or 0, 1, … with several classes.
            names: Any of error_rate, auc, log_loss and class_error; all that the loss allows if none is given.
        """
        return metrics(self.scores(features), labels, self.loss, names)

    def save(self, path: str | Path) -> None:
        """Write the classifier as JSON, in which numbers keep all their digits.

        Args:
            path: File to write.
        """
        name = _name(self.loss)
        if name not in LOSSES or LOSSES[name] is not type(self.loss):
            raise InputError(f"loss = {name}: must have a registered name to be saved by it")
        loss = {"name": name, **(asdict(self.loss) if is_dataclass(self.loss) else {})}
        known = {"columns": self.columns, "classes": self.classes, "made": dict(self.made)}
        write_json(path, {"format": FORMAT, "loss": loss, **known, "weights": self.weights.tolist()}, vouch=False)

    @classmethod
    def load(cls, path: str | Path) -> Classifier:
        """Read a classifier that `save` wrote; nothing in the file is executed.

        Args:
            path: File to read.
        """
        require_regular("classifier", path)
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}: must be the file of a classifier") from None
        except (ValueError, RecursionError):  # neither text nor JSON, or lists in lists without end
            content = None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise InputError(f"{path} is no classifier: must be a file that Classifier.save wrote")
        try:
            columns, classes = (
                None if content[name] is None else tuple(content[name]) for name in ("columns", "classes")
            )
            options, weights = dict(content["loss"]), np.array(content["weights"], dtype=np.float64)
            loss = LOSSES[options.pop("name")](**options)
            return cls(weights, loss, columns, classes, dict(content["made"]))
        except (KeyError, TypeError, ValueError) as error:  # an InputError is a ValueError
            raise InputError(f"{path} is a classifier that can't be read: {error}") from None


def _name(loss: Loss) -> str:
    return str(getattr(loss, "name", type(loss).__name__))
