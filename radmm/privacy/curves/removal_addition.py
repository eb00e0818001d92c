"""The two curves of one release: a row present against absent (removal), and absent against present (addition)."""

from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.curves.cache import Points, cached
from radmm.privacy.curves.dynamic_program import removal_values
from radmm.privacy.curves.largest_losses import removal_loss
from radmm.privacy.curves.noise_marginal import FEW, NoiseMarginal, radii
from radmm.privacy.curves.plain_shift import FINE, shift_curve
from radmm.privacy.curves.slope_levels import FORMS, LARGEST_RATE
from radmm.privacy.noise_laws import Law

SHIFT_POINTS, PROGRAM_POINTS = 241, 72
CAPPED_CELLS = 48  # where the cap is all that is known, and costs more than so few cells do
COARSE = 16  # of radii, where only the end of a curve is looked for
CELLS = 48  # of radii in many dimensions: the rule of smallest radii is then about 0.3 % too high in ε
CHORD_CELLS = 32  # of radii in few dimensions: chords are then about 0.1 % too high
EFFORT, FEW_EFFORT, LINE_EFFORT = 2e5, 9e5, 2e6  # cells times levels of a program: many dimensions, few, no radii
NEGLIGIBLE = 1e-15  # where a curve ends; what is left is mass at infinity
PLAIN = "plain"  # a shift, and no Jacobian: gradients, outputs


@dataclass(frozen=True)
class Row:
    """Effect of one row on a release, in units of the noise: all that its curves depend on.

    Args:
        law: gaussian or exponential-norm.
        shift: Largest shift of the noise by one row: α c G, or c G/σ.
        curvature: λ of the normalised slope, in units of the noise; without meaning for plain shifts.
        dimension: Dimension d of the noise, on which the curves for normal noise don't depend.
        form: Form of the slopes: logistic, bounded, or plain.
        ways: 1 if the row can move the noise along one ray; n bounds it by n rays (2: a slope of both signs).
        jacobian: Largest Jacobian minus 1; needed with several ways only, else known from the rest.
    """

    law: Law
    shift: float
    curvature: float = np.inf
    dimension: int = 1
    form: str = PLAIN
    ways: int = 1
    jacobian: float = 0.0

    def __post_init__(self) -> None:
        if self.law not in (Law.GAUSSIAN, Law.EXPONENTIAL_NORM) or self.form not in (*FORMS, PLAIN):
            raise ValueError(f"no curves for {self.law!r} noise and {self.form!r} slopes")
        if not (0.0 <= self.shift < np.inf and self.curvature > 0.0 and self.dimension >= 1 and self.ways >= 1):
            raise ValueError(f"no curves for {self}")

    @property
    def excess(self) -> float:
        """The x for which the Jacobian is at most 1 + x."""
        if self.form == PLAIN or self.ways > 1:
            return self.jacobian
        return LARGEST_RATE[self.form] * self.shift / self.curvature

    @property
    def farthest(self) -> float:
        """The ε beyond which the curves are negligible."""
        return float(np.log1p(self.excess)) + self._normal_reach if self.law == Law.GAUSSIAN else self.largest

    @property
    def _normal_reach(self) -> float:
        """Return the ε at which the hockey stick of shifted normal noise, times e^ε (1 + x), is at most 1e-15.

        Chaining two curves multiplies the end of the second by an e^ε of the first, so what is left must be negligible
        after that, too: with ε = s²/2 + st it is at most Φ(−t), and t²/2 = 32 + ln(1 + x) + ε.
        """
        s = self.shift
        return s * s / 2.0 + s * (s + float(np.sqrt(2.0 * s * s + 64.0 + 2.0 * np.log1p(self.excess))))

    @property
    def largest(self) -> float:
        """Upper bound on the privacy loss of a removal."""
        if self.law == Law.GAUSSIAN:
            return np.inf
        if self.form == PLAIN or self.ways > 1:
            return self.shift + float(np.log1p(self.excess))
        return removal_loss(self.form, self.shift, self.curvature)


@dataclass(frozen=True)
class CurvePair:
    """Upper points of the two curves for γ ≥ 1; between points their chords are bounds, as the true curves are convex.

    Args:
        epsilon: ln γ, ascending from 0.
        removal: Upper bounds on H_γ(present ‖ absent).
        addition: Upper bounds on H_γ(absent ‖ present).
    """

    epsilon: Array
    removal: Array
    addition: Array


def curves(row: Row) -> CurvePair:
    """Return a row's two curves, from the cache if they are there."""
    return _pair(_rounded_row(row), points(row))


def points(row: Row) -> Points:
    """Return the points of a row's curves that are slow to compute, from the cache if they are there."""
    return cached(key_of(row), lambda: _make(_rounded_row(row), _effort(row)))


def key_of(row: Row) -> str:
    """Return the cache key of a row's curves: all that they depend on."""
    return f"{_rounded_row(row)} {_effort(row):g}"


def _rounded_row(row: Row) -> Row:
    """Round a row's numbers to twelve digits, to the costlier side; curves for normal noise ignore the dimension."""
    dimension = 1 if row.law == Law.GAUSSIAN else row.dimension
    return Row(row.law, _up(row.shift), _down(row.curvature), dimension, row.form, row.ways, _up(row.jacobian))


def _effort(row: Row) -> float:
    """Return the program's effort for a row.

    In one dimension nothing is across the row, so one program serves either law.
    """
    effort = EFFORT if row.dimension > FEW else FEW_EFFORT
    if row.law == Law.GAUSSIAN or row.dimension == 1:
        effort = LINE_EFFORT
    return effort


def _make(row: Row, effort: float) -> Points:
    """Compute points of the shift's own curve up to its end, and of the program's where one is run."""
    end = _shift_end(row)
    capped = row.form == PLAIN or row.ways > 1 or row.shift == 0.0  # nothing but the cap is known
    cells = CAPPED_CELLS if capped and row.jacobian else FINE
    places = np.linspace(0.0, end, SHIFT_POINTS)
    shift = np.minimum(row.ways * shift_curve(row.law, row.shift, row.dimension, places, cells), 1.0)
    made = {"end": np.array([end]), "shift": shift, "places": np.empty(0), "program": np.empty(0)}
    if not capped:  # more points where the curve falls fastest
        last = min(row.largest, float(np.log1p(row.excess)) + end)
        made["places"] = last * np.linspace(0.0, 1.0, PROGRAM_POINTS) ** 1.25
        made["program"] = _program(row, np.exp(made["places"]), effort)
    if not all(np.isfinite(each).all() for each in made.values()):
        raise ArithmeticError(f"no numbers came out for {row}")
    return made


def _pair(row: Row, found: Points) -> CurvePair:
    """Return both curves, with chords, straight in γ, between their points."""
    log_xi = float(np.log1p(row.excess))
    shifted = np.linspace(0.0, float(found["end"][0]), SHIFT_POINTS)
    # The cap falls beyond ln(1 + x) as the shift's own curve falls beyond 0: both have the same points there, however
    # much shorter or longer than ln(1 + x) the fall is.
    places = np.unique(np.minimum(np.concatenate([shifted, found["places"], log_xi + shifted]), row.largest))
    addition = np.interp(np.exp(places), np.exp(shifted), found["shift"])
    removal = np.interp(np.exp(np.maximum(places - log_xi, 0.0)), np.exp(shifted), found["shift"])
    if len(found["places"]):
        removal = np.minimum(removal, np.interp(np.exp(places), np.exp(found["places"]), found["program"]))
    return CurvePair(places, np.where(places >= row.largest, 0.0, removal), addition)


def _program(row: Row, gammas: Array, effort: float) -> Array:
    """Run the dynamic program over the radii of the noise across the row."""
    if row.law == Law.GAUSSIAN:
        laws, masses = [NoiseMarginal(-1.0)], np.ones(1)
    else:
        few = row.dimension <= FEW
        found, masses = radii(row.dimension, CHORD_CELLS if few else CELLS, chords=few)
        laws = [NoiseMarginal(float(radius)) for radius in found]
    values = np.zeros(len(gammas))
    for law, mass in zip(laws, masses, strict=True):
        some = removal_values(law, row.form, row.shift, row.curvature, gammas, effort) if mass > 1e-12 else 1.0
        values += mass * np.minimum(some, 1.0)
    return values


def _shift_end(row: Row) -> float:
    """Return the ε beyond which the hockey stick of the shift alone is negligible."""
    if row.shift == 0.0:
        return 1e-9
    if row.law == Law.GAUSSIAN:
        return row.farthest - float(np.log1p(row.excess))
    places = np.linspace(0.0, row.shift, 65)
    rest = shift_curve(row.law, row.shift, row.dimension, places, COARSE) * np.exp(places) > 100.0 * NEGLIGIBLE
    return float(places[np.clip(int(rest.sum()), 1, len(places) - 1)])


def _up(value: float) -> float:
    """Round up to twelve digits, as curves grow with the shift."""
    return _rounded(value, np.ceil)


def _down(value: float) -> float:
    """Round down to twelve digits, as curves fall with growing curvature."""
    return _rounded(value, np.floor)


def _rounded(value: float, rounding: np.ufunc) -> float:
    if value == 0.0 or not np.isfinite(value):
        return value
    scale = 10.0 ** (11 - int(np.floor(np.log10(value))))
    return float(rounding(round(value * scale, 2)) / scale)
