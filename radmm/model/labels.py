"""Validation of labels: signs for losses of one margin, class numbers for those of many."""

import numpy as np

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError


def read_signs(label: Array) -> Array:
    """Return labels that are all +1 or −1, or raise an InputError."""
    _refuse(~np.isin(label, (-1.0, 1.0)), label, "must be +1 or -1")
    return label


def read_classes(label: Array, classes: int | None) -> tuple[Integers, int]:
    """Return the number 0, 1, … of each row's class, and the number of classes; of labels ±1, −1 is class 0.

    Args:
        classes: Number of classes; if None, every class up to the largest must have a row.
    """
    if np.all(np.isin(label, (-1.0, 1.0))) and classes in (None, 2):
        label = np.maximum(label, 0.0)
    most = np.inf if classes is None else classes
    range_of = "0, 1, …" if classes is None else f"from 0 to {classes - 1}"
    whole = (label == np.floor(label)) & (label >= 0) & (label < min(most, 2.0**31))
    _refuse(~whole, label, f"must be the number of its class, {range_of}")
    number = label.astype(np.int64)
    if classes is None:
        named = np.unique(number)
        missing = np.flatnonzero(named != np.arange(len(named)))
        if len(missing) or len(named) < 2:
            absent = int(missing[0]) if len(missing) else len(named)
            raise InputError(f"labels: class {absent} has no rows: must be numbers 0, 1, … with at least one row each")
        classes = len(named)
    return number, classes


def _refuse(wrong: Mask, label: Array, rule: str) -> None:
    if np.any(wrong):
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(f"labels[{row}] = {label[row]:g}: {rule}")
