"""The hockey stick of noise against the same noise shifted: exactly the cost of adding a row (Theorem A)."""

from itertools import pairwise

import numpy as np
from scipy.special import erfcx, ndtr

from radmm.base.arrays import Array
from radmm.privacy.curves.noise_marginal import FEW, ROUNDING, NoiseMarginal, gauss_rule, radii
from radmm.privacy.noise_laws import Law

FINE = 400  # cells of radii: the rule of smallest radii is then 0.04 % too high in ε
CHORDS = 64  # cells at most where chords are taken, for about the same
PANELS, ORDER = 6, 16  # of the quadrature along the row


def shift_curve(law: Law, shift: float, dimension: int, epsilon: Array, cells: int = FINE) -> Array:
    """Bound H_γ(noise ‖ shifted noise) from above at γ = e^ε, ε ≥ 0.

    Args:
        law: gaussian or exponential-norm, of scale 1.
        shift: Length of the shift, in units of the noise.
        dimension: Dimension d of the noise; exponential-norm noise hides better in more.
        cells: Number of cells of radii, for exponential-norm noise.
    """
    if shift == 0.0:
        return np.zeros_like(epsilon)
    if law == Law.GAUSSIAN:
        return _gaussian(shift, epsilon)
    few = dimension <= FEW
    places, masses = radii(dimension, min(cells, CHORDS) if few else cells, chords=few)
    sticks = np.array([_hyperbolic(NoiseMarginal(float(radius)), shift, epsilon) for radius in places])
    curve: Array = np.minimum(masses @ sticks, 1.0)
    return curve


def _gaussian(shift: float, epsilon: Array) -> Array:
    """Return Φ(s/2 − ε/s) − e^ε Φ(−s/2 − ε/s), with the two terms' common factor taken out where they nearly cancel."""
    near, far = epsilon / shift - shift / 2.0, epsilon / shift + shift / 2.0
    scale = np.exp(-near * near / 2.0) / 2.0
    tail = scale * (erfcx(np.maximum(near, 0.0) / np.sqrt(2.0)) - erfcx(far / np.sqrt(2.0)))
    bulk = ndtr(-near) - scale * erfcx(far / np.sqrt(2.0))
    stick: Array = np.where(near > 0.0, tail, bulk)
    above: Array = np.maximum(stick, 0.0) + ROUNDING * np.minimum(scale, 1.0)
    return np.minimum(above, 1.0)


def _hyperbolic(law: NoiseMarginal, shift: float, epsilon: Array) -> Array:
    """Return ∫ (f(u + s) − γ f(u))₊ du.

    The integrand is positive left of one place, which has a closed form: a hyperbola's branch. At u = −s, f(u + s)
    bends, sharply if r is small, so there the pieces of the quadrature meet and are short.
    """
    inside = epsilon < shift
    half = np.where(inside, epsilon, 0.0) / 2.0
    edge = -half * np.sqrt(1.0 + law.radius**2 / ((shift / 2.0) ** 2 - half**2)) - shift / 2.0
    width = law.reach + shift
    grades = np.concatenate([[0.0], 2.5 ** np.arange(1.0 - PANELS * (1 if law.radius > width / 8.0 else 4), 1.0)])
    turn = np.minimum(edge, -shift)
    total = _along(law, shift, epsilon, turn, -width * np.ones_like(edge), grades)
    total += _along(law, shift, epsilon, -shift * np.ones_like(edge), np.maximum(edge + shift, 0.0), grades)
    outside = law.beyond(width - turn - shift)
    return np.where(inside, law.peak * (1.0 + ROUNDING) * total + outside, 0.0)


def _along(law: NoiseMarginal, shift: float, epsilon: Array, start: Array, extent: Array, grades: Array) -> Array:
    """Integrate e^ε f(u) (e^(loss − ε) − 1)₊/f(0) from each start over its extent, either way."""
    nodes, weights = gauss_rule(ORDER)
    total = np.zeros_like(epsilon)
    for left, right in pairwise(grades):
        u = start[:, None] + extent[:, None] * (left + (right - left) * (nodes + 1.0) / 2.0)
        before, after = law.fall(u), law.fall(u + shift)
        gain = np.exp(-before + epsilon[:, None]) * np.expm1(np.maximum(before - after - epsilon[:, None], 0.0))
        total += gain @ weights * (right - left) / 2.0 * np.abs(extent)
    return total
