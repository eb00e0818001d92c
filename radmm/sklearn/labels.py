"""Labels of a fit: the classes, and which of them each row has."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown

TEXT, ANYTHING = "U", "O"  # kinds of NumPy's types


def read_labels(y: Any, classes: Sequence[Any] | None) -> tuple[NDArray[Any], Integers]:
    """Return the classes, in ascending order, and each row's place among them, −1 for a label that is not declared.

    Args:
        y: Label of each row.
        classes: Declared classes; if None, those of the rows, which are then refused where a label is missing.
    """
    labels = column_or_1d(y, warn=True)
    known = _found(labels) if classes is None else _declared(classes, labels.dtype)
    if len(known) < 2:
        raise InputError(f"classes: must be at least two, but there is one class, {shown(known.tolist()[0])}")
    return known, pd.Index(known).get_indexer(labels)


def _found(labels: NDArray[Any]) -> NDArray[Any]:
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    known: NDArray[Any] = np.unique(labels)
    return known


def _declared(classes: Sequence[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    known: NDArray[Any] = np.unique(np.asarray(classes))
    if len(known) != len(classes) or known.ndim != 1:
        raise InputError(f"classes = {shown(classes)}: must name each class once")
    if kind.kind != ANYTHING and (known.dtype.kind == TEXT) != (kind.kind == TEXT):
        raise InputError(f"classes = {shown(classes)}: must be of the type that y has, {kind}")
    return known
