"""Derivatives of each row's loss in its scores, computed row by row from the row and public values alone."""

import numpy as np
from scipy import sparse

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import Loss, is_multiclass
from radmm.model.losses.softmax import Softmax
from radmm.model.problem import Problem

OWN = (Logistic, HuberHinge, Softmax)  # no operation of theirs mixes rows


def check_loss_is_own(loss: Loss) -> None:
    """Refuse losses without a slope bound, and those of plug-ins, whose code might mix rows."""
    if type(loss) not in OWN:
        name = getattr(loss, "name", type(loss).__name__)
        raise InputError(
            f"loss = {name}: must be one of {', '.join(each.name for each in OWN)} in a release: the slopes of these "
            "are bounded, and none of their operations lets one row change what another contributes"
        )


def rows_of_node(problem: Problem, node: int) -> tuple[sparse.csr_array, Integers | None]:
    """Return a node's rows, each column at most once in a row, and their classes where there are more than two."""
    part = slice(problem.node_start[node], problem.node_start[node + 1])
    chosen = problem.rows[part]
    rows = sparse.csr_array((chosen.data, chosen.indices, chosen.indptr), shape=chosen.shape, copy=True)
    rows.sum_duplicates()  # of a new matrix, which has no word about itself to be believed
    return rows, None if problem.label is None else problem.label[part]


def slopes(loss: Loss, rows: sparse.csr_array, classes: Integers | None, point: Array) -> Array:
    """Return the derivatives of each row's loss in its scores, (row, output).

    Args:
        rows: Rows y·x of two classes, or x of several.
        classes: Class of each row where there are several.
        point: f, flat, class by class.
    """
    if not is_multiclass(loss) or classes is None:
        slope: Array = loss.value_and_slope(rows @ point)[1]
        return slope[:, None]
    scores = rows @ point.reshape(loss.outputs, -1).T
    each = np.arange(len(classes))
    margins = scores[each, classes][:, None] - scores
    share: Array = -loss.value_and_slope(margins[:, :, None])[1][:, :, 0]
    share[each, classes] -= 1.0
    return share
