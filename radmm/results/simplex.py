"""Nelder and Mead's search for the minima of many functions at once, step for step as SciPy's for one.

Functions that are cheap for a computer and dear for its interpreter are so evaluated together; and SciPy's optimisers
take longer to import than that.
"""

from collections.abc import Callable

import numpy as np

from radmm.base.arrays import Array, Integers

GROWTH, LEAST = 0.05, 0.00025  # of the first simplex, relative, and from 0
CALLS = 200  # of a function at most, times its dimension


def minimise(function: Callable[[Array, Integers], Array], starts: Array, near: float, alike: float) -> Array:
    """(function, entry): where each is smallest, as far as was found.

    Args:
        function: Of points, (point, entry), and of the number of the function that each is for: their values.
        starts: (function, entry): where each search begins.
        near: How far from the best the points of a simplex may be when its search ends, in every entry;
        alike: and by how much their values may then differ.
    """
    number, size = starts.shape
    simplex = np.repeat(starts[:, None], size + 1, axis=1)
    for entry in range(size):
        first = starts[:, entry]
        simplex[:, entry + 1, entry] = np.where(first != 0.0, (1.0 + GROWTH) * first, LEAST)
    values = function(simplex.reshape(-1, size), np.repeat(np.arange(number), size + 1)).reshape(number, -1)
    calls = np.full(number, size + 1)
    active = np.arange(number)
    while len(active):
        order = values[active].argsort(axis=1)
        values[active] = np.take_along_axis(values[active], order, axis=1)
        simplex[active] = np.take_along_axis(simplex[active], order[:, :, None], axis=1)
        distance = np.abs(simplex[active, 1:] - simplex[active, :1]).max(axis=(1, 2))
        unlike = np.abs(values[active, :1] - values[active, 1:]).max(axis=1)
        active = active[((distance > near) | (unlike > alike)) & (calls[active] < CALLS * size)]
        _move(function, simplex, values, calls, active)
    return simplex[:, 0]


def _move(
    function: Callable[[Array, Integers], Array], simplex: Array, values: Array, calls: Integers, active: Integers
) -> None:
    """One step of each search that goes on: the worst point is moved, or all are towards the best."""
    size = simplex.shape[2]
    centre, worst = simplex[active, :-1].sum(axis=1) / size, simplex[active, -1]
    points = 2.0 * centre - worst
    found = function(points, active)
    calls[active] += 1
    best, second, last = values[active][:, [0, -2, -1]].T
    grows, fits = found < best, (best <= found) & (found < second)
    outside = ~grows & ~fits & (found < last)
    factor = np.where(grows, 2.0, np.where(outside, 0.5, -0.5))[:, None]
    others = (1.0 + factor) * centre - factor * worst
    more = ~fits & (calls[active] < CALLS * size)  # who has no call left ends as it is
    tried = np.full(len(active), np.inf)
    tried[more] = function(others[more], active[more])
    calls[active[more]] += 1
    better = more & np.where(grows, tried < found, np.where(outside, tried <= found, tried < last))
    moved = fits | (more & grows) | better
    simplex[active[moved], -1] = np.where(better[:, None], others, points)[moved]
    values[active[moved], -1] = np.where(better, tried, found)[moved]
    shrinking = active[more & ~moved]
    for corner in range(1, size + 1):
        shrinking = shrinking[calls[shrinking] < CALLS * size]
        start = simplex[shrinking, 0]
        simplex[shrinking, corner] = start + 0.5 * (simplex[shrinking, corner] - start)
        values[shrinking, corner] = function(simplex[shrinking, corner], shrinking)
        calls[shrinking] += 1
