"""The same ten runs by JAX: one jitted L-BFGS, vectorised over nodes and runs, in double precision on one thread.

It is what one would write by hand to have all runs at once. JAX is no dependency: without it this says so.
"""

import numpy as np

from benchmarks.baseline import Outcome
from radmm.base.seeds import Purpose, generator
from radmm.privacy.noise_laws import draw_noise

MEMORY, MOST = 10, 200
MISSING = "JAX is not installed: `.venv/bin/uv pip install --group peers` brings it"


def available():
    try:
        import jax  # noqa: F401
    except ImportError:
        return False
    return True


def direction(gradient, steps, changes):
    """Two loops over the pairs, of which the last is the newest; those that are not there are zero."""
    import jax.numpy as jnp

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


def make_argmin(rows, weight, gtol):
    """(f, linear, ridge) ↦ (argmin, largest gradient norm); f and linear are (node, run, feature)."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    data = jnp.asarray(rows)

    def objective(f, x, linear, ridge):
        return weight * jnp.logaddexp(0.0, -(x @ f)).sum() + linear @ f + ridge / 2.0 * f @ f

    evaluate = jax.value_and_grad(objective)

    def solve(f, x, linear, ridge):
        def advance(state):
            f, value, gradient, steps, changes, count = state
            move = direction(gradient, steps, changes)
            slope = gradient @ move

            def too_long(tried):
                length, new, _ = tried
                return (new > value + 1e-4 * length * slope + 1e-12 * jnp.abs(value)) & (length > 1e-9)

            def halve(tried):
                length = tried[0] / 2.0
                return length, *evaluate(f + length * move, x, linear, ridge)

            length, new, there = jax.lax.while_loop(too_long, halve, (1.0, *evaluate(f + move, x, linear, ridge)))
            steps = jnp.concatenate([steps[1:], (length * move)[None]])
            changes = jnp.concatenate([changes[1:], (there - gradient)[None]])
            return f + length * move, new, there, steps, changes, count + 1

        def goes_on(state):
            return (jnp.abs(state[2]).max() > gtol) & (state[5] < MOST)

        none = jnp.zeros((MEMORY, len(f)))
        end = jax.lax.while_loop(goes_on, advance, (f, *evaluate(f, x, linear, ridge), none, none, 0))
        return end[0], jnp.linalg.norm(end[2])

    over_runs = jax.vmap(solve, (0, None, 0, None))
    whole = jax.jit(jax.vmap(over_runs, (0, 0, 0, 0)))

    def argmin(f, linear, ridge):
        points, norms = whole(f, data, linear, ridge)
        return np.asarray(points), float(norms.max())

    return argmin


def mr_admm(argmin, rows, neighbours, test, settings):
    """As `baseline.mr_admm`, all runs at once; rows is (node, row, feature), y·x.

    Args:
        argmin: As `make_argmin` gives it for these rows; it is compiled when it is called first.
        rows: As many at every node.
        neighbours: Of each node.
        test: Signed test rows.
        settings: Of the runs.
    """
    nodes, _, d = rows.shape
    adjacency = np.zeros((nodes, nodes))
    for i, near in enumerate(neighbours):
        adjacency[i, near] = 1.0
    degree = adjacency.sum(axis=1)[:, None, None]

    def around(f):
        return np.einsum("ij,jrd->ird", adjacency, f)

    runs = np.arange(settings.runs)
    first = [generator(settings.seed, Purpose.INITIAL_POINT, run).standard_normal((nodes, d)) for run in runs]
    f = np.stack(first, axis=1)
    dual, before = np.zeros_like(f), f
    shape = settings.runs, settings.iterations + 1
    outcome = Outcome(np.zeros(shape), np.zeros(shape), 0.0, 0)
    for t in range(settings.iterations + 1):
        margins = np.einsum("nbd,nrd->nrb", rows, f, optimize=True)
        outcome.losses[:, t] = np.logaddexp(0.0, -margins).mean(axis=(0, 2))
        outcome.errors[:, t] = np.mean(test @ f.mean(axis=0).T <= 0, axis=0)
        if t == settings.iterations:
            break
        eta = settings.ratio ** (t // 2 + 1)
        if t % 2 == 0:
            noise = 0.0
            if settings.alpha is not None:
                drawn = draw_noise(np.full(nodes, settings.alpha), d, runs, settings.seed, t // 2 + 1)
                noise = drawn.transpose(0, 2, 1)
            linear = 2 * dual + noise - eta * (degree * f + around(f))
            before, (f, norm) = f, argmin(f, linear, settings.rho / nodes + 2 * eta * degree[:, 0, 0])
            outcome.largest_gradient = max(outcome.largest_gradient, norm)
            dual = dual + eta / 2 * (degree * f - around(f))
        else:
            step = eta / (2 * eta * degree + settings.gamma) * (degree * before + around(before) - 2 * around(f))
            before, f = f, f - step
    return outcome
