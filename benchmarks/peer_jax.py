"""JAX on the argmins of one node: one jitted L-BFGS, vectorised over the runs, in double precision and on dense rows.

It is what one would write by hand to solve all runs at once. Compiling is not timed: the first call does it.
"""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

MEMORY, MOST = 10, 500


class Jax:
    """JAX on all runs of an argmin at once, until the last of them has converged."""

    has_linear = True

    def __init__(self, case):
        self.case = case
        x = jnp.asarray(case.x if isinstance(case.x, np.ndarray) else case.x.toarray())
        self._argmin = jax.jit(jax.vmap(make_argmin(x, case), (0, 0, None, None)))

    def solve(self, tolerance, steps):
        f, points = jnp.asarray(self.case.start.T), []
        for linear, ridge in zip(self.case.linear[:steps], self.case.ridge[:steps], strict=True):
            f = self._argmin(f, linear.T, ridge, tolerance)
            points.append(np.asarray(f).T)
        return np.array(points)


def make_argmin(x, case):
    """Return the function (start, linear, ridge, largest gradient norm) ↦ argmin."""
    y, classes = jnp.asarray(case.y), case.classes

    def losses(f):
        if classes == 1:
            return jnp.logaddexp(0.0, -y * (x @ f)).sum()
        scores = x @ f.reshape(classes, -1).T
        return (jax.scipy.special.logsumexp(scores, axis=1) - jnp.take_along_axis(scores, y[:, None], 1)[:, 0]).sum()

    evaluate = jax.value_and_grad(lambda f, linear, ridge: case.weight * losses(f) + linear @ f + ridge / 2.0 * f @ f)

    def argmin(f, linear, ridge, tolerance):
        def advance(state):
            f, value, gradient, steps, changes, count = state
            move = direction(gradient, steps, changes)
            slope = gradient @ move

            def too_long(tried):
                length, new, _ = tried
                return (new > value + 1e-4 * length * slope + 1e-12 * jnp.abs(value)) & (length > 1e-9)

            def halve(tried):
                length = tried[0] / 2.0
                return length, *evaluate(f + length * move, linear, ridge)

            length, new, there = jax.lax.while_loop(too_long, halve, (1.0, *evaluate(f + move, linear, ridge)))
            steps = jnp.concatenate([steps[1:], (length * move)[None]])
            changes = jnp.concatenate([changes[1:], (there - gradient)[None]])
            return f + length * move, new, there, steps, changes, count + 1

        def goes_on(state):
            return (jnp.linalg.norm(state[2]) > tolerance) & (state[5] < MOST)

        none = jnp.zeros((MEMORY, len(f)))
        return jax.lax.while_loop(goes_on, advance, (f, *evaluate(f, linear, ridge), none, none, 0))[0]

    return argmin


def direction(gradient, steps, changes):
    """Return L-BFGS's direction by two loops over the pairs, of which the last is the newest; missing ones are zero."""
    vector, shares = -gradient, []
    products = (steps * changes).sum(axis=1)
    inverse = jnp.where(products > 0.0, 1.0 / jnp.where(products > 0.0, products, 1.0), 0.0)
    for i in reversed(range(MEMORY)):
        shares.append(inverse[i] * (steps[i] @ vector))
        vector = vector - shares[-1] * changes[i]
    square = changes[-1] @ changes[-1]
    vector = vector * jnp.where(square > 0.0, products[-1] / jnp.where(square > 0.0, square, 1.0), 1.0 / 100.0)
    for i in range(MEMORY):
        vector = vector + (shares[MEMORY - 1 - i] - inverse[i] * (changes[i] @ vector)) * steps[i]
    return vector
