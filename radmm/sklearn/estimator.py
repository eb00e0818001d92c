"""`PrivateLogisticRegression`: scikit-learn's interface to a private training."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted, validate_data

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import as_number, shown
from radmm.data.tables.labels import loss_labels
from radmm.data.tables.recipe import caveat
from radmm.model.network import Network
from radmm.outcome.scores import probabilities
from radmm.privacy.calibration import LARGEST_EPSILON, LEAST_EPSILON
from radmm.privacy.guarantee import Guarantee
from radmm.publication.public_release import PublicRelease
from radmm.sklearn.bounded_features import FROM_DATA, BoundedFeatures, bounds_of
from radmm.sklearn.labels import read_labels
from radmm.sklearn.training import Trained, Training

PUBLIC = "if bounds, classes and the number of rows are public"
SEEDED = "for whoever doesn't know random_state"
VOID = "there is no guarantee, as bounds that were taken from the data tell of single rows"
PREPARATION = (
    "Bounds, classes and the number of rows are public; radmm took nothing else from the rows without noise, and each "
    "row became features by itself."
)


class PrivacyWarning(UserWarning):
    """Warning of a fit that may not be published."""


class PrivateLogisticRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Logistic regression with differential privacy, for two classes or, as softmax regression, more.

    Each fit spends ε anew. Columns are scaled by their public bounds, and rows to norm at most 1; numbers beyond the
    bounds count as the bound, and missing ones (NaN) as the value that is scaled to 0. Training is gradient descent
    with noise on every gradient, in a number of iterations and with a step that follow from public numbers. In a
    network, rows are spread evenly, by position, and every node adds noise of its own before anything leaves it.

    Args:
        epsilon: Total ε that a fit may spend, for replacing one row.
        delta: δ that belongs to it.
        nodes: Number of nodes: one is a trusted curator, more are a ring; or a `radmm.Network` of your own.
        bounds: Pair (lowest, highest) of numbers, or of arrays with one number a column, or a dictionary with a pair
            for each column's name; known without looking at the data. "from data" looks at them, which voids the
            guarantee.
        classes: All labels that there can be. A row with any other label is ignored. If None, they are taken from the
            labels, and must be public.
        scale: How a number becomes a feature: largest divides by the bound of largest absolute value, so that zero
            stays zero; unit maps the bounds to 0 and 1, symmetric to −1 and 1.
        random_state: None for noise from the system's randomness, as `radmm.release` draws it. A whole number makes a
            fit repeatable, for research: whoever knows it can subtract the noise.

    Attributes:
        classes_: Classes in ascending order.
        coef_: Weights in the units of the columns, (1, columns), or one row for each of several classes. The sign of
            their scores, or the largest, predicts the class; `decision_function` has them divided by the row's norm.
        intercept_: Intercepts, likewise.
        epsilon_: Total ε that the fit spent, with all its conditions; infinite if the bounds were taken from the data.
        ledger_: Every answer that the training got, with its sensitivity and noise.
        release_: Classifier of scaled rows with its privacy label, to be saved and published; None unless
            `random_state` is None and bounds are declared.
        n_features_in_: Number of columns.
        feature_names_in_: Names of the columns, if X had any.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        nodes: int | Network = 1,
        bounds: Any = None,
        classes: Sequence[Any] | None = None,
        scale: str = "largest",
        random_state: int | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.nodes = nodes
        self.bounds = bounds
        self.classes = classes
        self.scale = scale
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: missing values are allowed, as to refuse a row would tell of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike) -> "PrivateLogisticRegression":  # noqa: N803 (scikit-learn's name)
        """Train on private rows, which spends ε, and return the estimator itself.

        Args:
            X: Numbers, (row, column): an array or a DataFrame.
            y: Label of each row.
        """
        self._check_numbers()
        self._warn()
        table: Array = validate_data(self, X, dtype=np.float64, ensure_all_finite=False)
        self.classes_, place = read_labels(y, self.classes)
        check_consistent_length(table, place)
        columns = list(getattr(self, "feature_names_in_", [f"x{number}" for number in range(table.shape[1])]))
        bounds = bounds_of(table) if self._from_data else self.bounds
        self._features = BoundedFeatures.declared(bounds, self.scale, columns)
        trained = self._train(table, place, columns)
        self._classifier, self.ledger_, self.release_ = trained.classifier, trained.ledger, None
        self.coef_, self.intercept_ = self._features.in_units(np.atleast_2d(trained.classifier.weights))
        self.epsilon_ = self._with_conditions(trained.guarantee)
        if trained.label is not None and not self._from_data:
            classes = tuple(map(str, self.classes_))
            named = replace(trained.classifier, columns=(*columns, "intercept"), classes=classes)
            self.release_ = PublicRelease(named, trained.label)
        return self

    def decision_function(self, X: ArrayLike) -> Array:  # noqa: N803
        """Return log odds of the second class, (row,), or the scores of several classes, (row, class).

        Args:
            X: Numbers, (row, column), in the units of the training rows.
        """
        check_is_fitted(self)
        table = validate_data(self, X, dtype=np.float64, ensure_all_finite=False, reset=False)
        return self._classifier.scores(self._features.rows(table))

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """Return the likeliest class of each row.

        Args:
            X: Numbers, (row, column), in the units of the training rows.
        """
        scores = self.decision_function(X)
        predicted: NDArray[Any] = self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]
        return predicted

    def predict_proba(self, X: ArrayLike) -> Array:  # noqa: N803
        """Return the probability of each class, (row, class).

        Args:
            X: Numbers, (row, column), in the units of the training rows.
        """
        chances = probabilities(self.decision_function(X), self._classifier.loss)
        return np.column_stack([1.0 - chances, chances]) if chances.ndim == 1 else chances

    def _check_numbers(self) -> None:
        """Refuse parameters that are wrong whatever the data are."""
        if not LEAST_EPSILON <= as_number("epsilon", self.epsilon) <= LARGEST_EPSILON:
            raise InputError(f"epsilon = {self.epsilon:g}: must be from {LEAST_EPSILON:g} to {LARGEST_EPSILON:g}")
        if not 0.0 < as_number("delta", self.delta) < 1.0:
            raise InputError(f"delta = {self.delta:g}: must be above 0 and below 1")
        for name, least in (("nodes", 1), ("random_state", 0)):
            value = getattr(self, name)
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least
            if not whole and not (isinstance(value, Network) if name == "nodes" else value is None):
                other = "a radmm.Network" if name == "nodes" else "None"
                raise InputError(f"{name} = {shown(value)}: must be a whole number, at least {least}, or {other}")

    def _warn(self) -> None:
        if self._from_data:
            warnings.warn(f"bounds = {FROM_DATA!r}: {VOID}", PrivacyWarning, stacklevel=3)
        if self.random_state is not None:
            warnings.warn(
                f"random_state = {self.random_state}: this fit is for research, as whoever knows the number can "
                "subtract the noise; with None nobody can",
                PrivacyWarning,
                stacklevel=3,
            )

    @property
    def _from_data(self) -> bool:
        return isinstance(self.bounds, str) and self.bounds == FROM_DATA

    @property
    def _caveat(self) -> str:
        """Sentence on what was taken from the labels although no noise protects it; may be empty."""
        return caveat(0, 0, ["the set of classes"]) if self.classes is None else ""

    def _train(self, table: Array, place: Integers, columns: Sequence[str]) -> Trained:
        rows = self._features.rows(table) * (place >= 0)[:, None]  # a label that is not declared: a row of zeros
        labels = loss_labels(np.maximum(place, 0), len(self.classes_))
        size = len(table), rows.shape[1], len(self.classes_)
        training = Training.of(*size, self.nodes, float(self.epsilon), float(self.delta))
        if self.random_state is not None:
            return training.research(rows, labels, int(self.random_state))
        recipe = {"bounds": self._features.to_json(columns), "scale": str(self.scale), "intercept": True}
        return training.release(rows, labels, [PREPARATION, *([self._caveat] if self._caveat else [])], recipe)

    def _with_conditions(self, spent: Guarantee) -> Guarantee:
        """Return what was spent with all conditions; infinite if the bounds were taken from the data."""
        if self._from_data:
            return spent.voided(VOID)
        return spent.under(PUBLIC, "" if self.random_state is None else SEEDED, self._caveat)
