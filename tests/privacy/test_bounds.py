"""Single releases against the exact privacy loss of real neighbouring data sets, in one, two and three dimensions."""

import numpy as np
import pytest
from scipy.special import expit, logsumexp

import radmm
from radmm.privacy.accountants.dominating_pairs import release_curve
from radmm.privacy.accountants.pure import pure_epsilon
from radmm.privacy.accountants.renyi import ORDERS, release_divergence
from radmm.privacy.relation import REPLACE_ONE
from tests.ledgers import facts_of, make_ledger
from tests.reference import PlainProblem, argmin

RHO, STEP = 0.3, 0.01
CHECKED = [2.0, 4.0, 8.0]


class Pair:
    """One node's step on two data sets that differ in their first row; rows are y·x. One node of degree 1."""

    def __init__(self, rows, other, C, eta, linear, noise):
        self.data, self.C, self.eta, self.noise = (
            (np.array(rows, dtype=float), np.array(other, dtype=float)),
            C,
            eta,
            noise,
        )
        self.linear, self.dimension = np.array(linear, dtype=float), len(linear)
        facts = facts_of(C, RHO, np.array([len(rows)]), np.array([1.0]))
        self.release = make_ledger(facts, radmm.MADMM(eta, dual_step=eta), noise, 1, self.dimension).releases[0]

    def noise_for(self, rows, f):
        """The draw in the linear term that makes f the argmin; f is (points, d)."""
        slope = -expit(-f @ rows.T)
        return -(self.C / len(rows) * slope @ rows + (RHO + 2 * self.eta) * f + self.linear)

    def log_noise(self, b):
        """Up to a constant, the density of the noise as it enters the linear term."""
        factor = 2 * self.eta if self.noise.name == "penalty" else 1.0
        if self.noise.sigma:
            return -((b / (factor * self.noise.sigma)) ** 2).sum(axis=1) / 2
        return -self.noise.alpha / factor * np.linalg.norm(b, axis=1)

    def log_density(self, rows, f):
        sigma = expit(f @ rows.T)
        hessian = self.C / len(rows) * np.einsum("pn,ni,nj->pij", sigma * (1 - sigma), rows, rows)
        hessian += (RHO + 2 * self.eta) * np.eye(self.dimension)
        return self.log_noise(self.noise_for(rows, f)) + np.linalg.slogdet(hessian)[1]

    def on_grid(self, centre, reach, points):
        """Log masses of both outcomes' laws on a grid around a centre, each adding up to one."""
        axes = [c + np.linspace(-reach, reach, points) for c in centre]
        f = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, self.dimension)
        logs = [self.log_density(rows, f) for rows in self.data]
        return [log - logsumexp(log) for log in logs]


def check_masses(pair, p, q, shortfall):
    """Both directions' hockey sticks, divergences and largest loss; returns how nearly the bounds are attained."""
    curve, divergence = release_curve(pair.release, STEP), release_divergence(pair.release)
    attained = []
    for one, two in ((p, q), (q, p)):
        mass, loss = np.exp(one), one - two
        for index in np.linspace(0, len(curve) - 1, 12).astype(int):
            stick = mass @ np.maximum(-np.expm1(np.minimum(index * STEP - loss, 0)), 0)
            assert stick <= curve[index] * (1 + shortfall) + 1e-9
        for order in CHECKED:
            exact = logsumexp(one + (order - 1) * loss) / (order - 1)
            bound = divergence[list(ORDERS).index(order)]
            assert exact <= bound * (1 + shortfall) + 1e-9
            attained.append(exact / bound)
        assert loss.max() <= pure_epsilon(pair.release, REPLACE_ONE) + 1e-9
    return max(attained)


NOISES = [
    radmm.ObjectiveNoise(1.5),
    radmm.ObjectiveNoise(6.0),
    radmm.ObjectiveNoise(sigma=1.0),
    radmm.PenaltyNoise(4.0),
    radmm.PenaltyNoise(sigma=0.4),
]
NAMES = ["objective, much", "objective, little", "objective, gaussian", "penalty", "penalty, gaussian"]
LINE = {  # rows, neighbour's rows, linear term
    "flip": ([[1.0], [0.4]], [[-1.0], [0.4]], [0.0]),
    "removal": ([[1.0], [-0.2]], [[0.0], [-0.2]], [0.7]),
    "addition to nothing": ([[0.0]], [[1.0]], [-1.0]),
    "saturated": ([[1.0]], [[0.3]], [30.0]),
}


@pytest.mark.parametrize("noise", NOISES, ids=NAMES)
@pytest.mark.parametrize("case", LINE)
def test_on_a_line(case, noise):
    rows, other, linear = LINE[case]
    pair = Pair(rows, other, float(len(rows)), 0.5, linear, noise)
    factor = 1.0 if noise.name == "objective" else 2 * 0.5
    reach = factor * (noise.sigma * 12 if noise.sigma else 60 / noise.alpha)
    check_masses(pair, *pair.on_grid([-linear[0] / (RHO + 1)], reach, 40_001), 1e-4)


@pytest.mark.parametrize("noise", NOISES, ids=NAMES)
@pytest.mark.parametrize("angle", [60, 90, 150, 179])
def test_in_the_plane(noise, angle):
    """Rotated rows, with slopes saturated across the rotation: near 180° this is the worst pair."""
    turn, eta = np.radians(angle) / 2, 2.0
    row, other = ([np.sin(turn), np.cos(turn)], [-np.sin(turn), np.cos(turn)])
    linear = np.array([0.0, 2e3])
    pair = Pair([row], [other], 1.0, eta, linear, noise)
    factor = 2 * eta if noise.name == "penalty" else 1.0
    reach = factor * (noise.sigma * 9 if noise.sigma else 30 / noise.alpha) / (RHO + 2 * eta)
    attained = check_masses(pair, *pair.on_grid(-linear / (RHO + 2 * eta), reach, 301), 2e-3)
    if angle == 179:
        assert attained > 0.75  # a bound made for half the shift would fail


def test_a_large_jacobian_in_the_plane():
    """x = 0.6, with the loss at its most curved: the Jacobian rules, and the shift law alone would be too little."""
    noise = radmm.ObjectiveNoise(0.05)
    pair = Pair([[1.0, 0.0]], [[0.0, 0.0]], 1.0, 0.06, [0.5, 0.0], noise)
    p, q = pair.on_grid([0.0, 0.0], 1500.0, 601)
    check_masses(pair, p, q, 1e-6)
    assert (p - q).max() > 4 * noise.alpha * 2  # far beyond what the noise alone can lose


@pytest.mark.parametrize(
    "noise", [radmm.ObjectiveNoise(1.0), radmm.ObjectiveNoise(sigma=1.5)], ids=["exponential-norm", "gaussian"]
)
def test_argmins_in_space(noise):
    """Sampled noise, solved argmins: the losses' tail and moments with three more rows at the node."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((4, 3))
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]
    other = np.vstack([-rows[0] / np.linalg.norm(rows[0]), rows[1:]])
    pair = Pair(rows, other, 4.0, 0.7, [0.3, -1.0, 0.4], noise)
    plain = PlainProblem(rows, np.ones(4), np.zeros(4, dtype=int), C=4.0, rho=RHO)
    draws = noise.draw(1, 3, np.arange(1500), 0, 1)[0].T
    f = np.array([argmin(plain, 0, np.zeros(3), pair.linear + draw, 0.7) for draw in draws])
    np.testing.assert_allclose(pair.noise_for(rows, f), draws, atol=1e-8)  # the argmin is a bijection of the noise
    loss = pair.log_density(rows, f) - pair.log_density(other, f)
    assert np.exp(-loss).mean() == pytest.approx(1.0, abs=4 * np.exp(-loss).std() / np.sqrt(len(loss)))
    curve = release_curve(pair.release, STEP)
    for index in range(0, len(curve), 10):
        stick = np.maximum(-np.expm1(index * STEP - loss), 0)
        assert stick.mean() - 4 * stick.std() / np.sqrt(len(loss)) <= curve[index]
    assert loss.max() <= pure_epsilon(pair.release, REPLACE_ONE)
    assert loss.max() > 0.3
