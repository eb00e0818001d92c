"""What is proved of the softmax loss (docs/proofs.md, section 7), attacked by numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax

import radmm
from radmm.base.errors import InputError
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.loss import LOGISTIC, Loss
from radmm.model.losses.softmax import Softmax
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.curves.removal_addition import curves
from radmm.privacy.curves.row_effects import plain_row, softmax_row
from radmm.privacy.noise_laws import Law
from radmm.privacy.proof_conditions import check_stated_bounds
from radmm.privacy.relation import Relation
from tests.conftest import EDGES, make_data
from tests.ledgers import facts_of, make_ledger

ROOT_2 = np.sqrt(2.0)
scales = st.sampled_from([0.1, 1.0, 10.0, 1e3])  # of the scores: even chances to certainty


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 8), scales)
def test_a_row_moves_the_gradient_by_root_two_at_most(seed, classes, scale):
    rng = np.random.default_rng(seed)
    f = scale * rng.standard_normal((classes, 3))
    rows = rng.standard_normal((2, 3))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    gradients = [np.outer(softmax(f @ x) - np.eye(classes)[rng.integers(classes)], x) for x in rows]
    assert max(np.linalg.norm(g) for g in gradients) <= ROOT_2 * (1 + 1e-12)
    assert np.linalg.norm(gradients[0] - gradients[1]) <= 2 * ROOT_2 * (1 + 1e-12)


def test_both_bounds_are_reached():
    """Two nearly equal rows, each given surely to the other's class."""
    x, z = np.array([1.0, 1e-3]), np.array([1.0, -1e-3])
    f = 1e6 * np.array([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.0]])
    first = np.outer(softmax(f @ x) - [0, 1, 0], x)
    second = np.outer(softmax(f @ z) - [1, 0, 0], z)
    assert np.linalg.norm(first) == pytest.approx(ROOT_2, rel=1e-5)
    assert np.linalg.norm(first - second) == pytest.approx(2 * ROOT_2, rel=1e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7), scales, st.floats(-2, 2))
def test_the_jacobian_is_between_one_and_its_bound(seed, classes, scale, log_ratio):
    """det(I + c (Σ ⊗ xxᵀ) M) for any symmetric 0 ≤ M ≤ 1/λ0: M stands for all other rows and terms."""
    rng = np.random.default_rng(seed)
    chance = softmax(scale * rng.standard_normal(classes))
    x = rng.standard_normal(2)
    x /= max(1.0, np.linalg.norm(x))
    spread = np.kron(np.diag(chance) - np.outer(chance, chance), np.outer(x, x))
    basis = np.linalg.qr(rng.standard_normal((2 * classes, 2 * classes)))[0]
    inverse = basis @ np.diag(rng.uniform(0, 1, 2 * classes) ** rng.choice([0.01, 1.0])) @ basis.T
    ratio = 10**log_ratio  # c/λ0
    value = np.linalg.det(np.eye(2 * classes) + ratio * spread @ inverse)
    bound = (1 + ratio / classes) ** (classes - 1)
    assert 1 - 1e-9 <= value <= bound * (1 + 1e-9)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_jacobians_bound_is_reached_at_even_chances(classes):
    chance = np.full(classes, 1 / classes)
    value = np.linalg.det(np.eye(classes) + 0.7 * (np.diag(chance) - np.outer(chance, chance)))
    assert value == pytest.approx((1 + 0.7 / classes) ** (classes - 1), rel=1e-12)
    facts = facts_of(7.0, 0.4, [10], [1.0], loss=Softmax(classes))
    release = make_ledger(facts, radmm.ADMM(0.3), radmm.ObjectiveNoise(1.0), 1).releases[0]
    assert release.curvature == pytest.approx(1.0)
    assert 1 + release.jacobian == pytest.approx(value, rel=1e-12)
    assert release.sensitivity == pytest.approx(2 * ROOT_2 * 0.7)


class OneRow:
    """A release with f ∈ R³, x = 1; all else in the subproblem is λ0/2‖f‖² + k·f. Without the row β is the noise."""

    def __init__(self, weight, curvature, offset, own):
        self.weight, self.curvature, self.offset, self.own = weight, curvature, offset, own

    def log_density(self, beta, log_noise):
        """Of β when the row is there: ν(T(β)) J(β), T(β) = β − c(p − e_y)."""
        chance = softmax(-(beta + self.offset) / self.curvature, axis=1)
        spread = chance[:, :, None] * np.eye(3) - chance[:, :, None] * chance[:, None]
        jacobian = np.linalg.slogdet(np.eye(3) + self.weight / self.curvature * spread)[1]
        return log_noise(beta - self.weight * (chance - np.eye(3)[self.own])) + jacobian


def draw_exponential(rng, size):
    direction = rng.standard_normal((size, 3))
    return rng.gamma(3, size=(size, 1)) * direction / np.linalg.norm(direction, axis=1)[:, None]


NOISES = {  # log density, and how it is drawn
    Law.GAUSSIAN: (lambda b: -0.5 * (b**2).sum(axis=1), lambda rng, size: rng.standard_normal((size, 3))),
    Law.EXPONENTIAL_NORM: (lambda b: -np.linalg.norm(b, axis=1), draw_exponential),
}
OFFSETS = [(0.0, 0.0, 0.0), (-1.0, 0.5, 0.0), (-200.0, 0.0, 200.0), (3.0, 0.0, -3.0)]
SAMPLES = 60_000


@pytest.mark.parametrize("law", NOISES)
@pytest.mark.parametrize(("weight", "curvature"), [(0.5, 0.3), (1.5, 0.05)])
def test_no_release_is_above_the_curves(law, weight, curvature):
    """Removal and addition, sampled from the exact densities, at four places from even chances to certainty."""
    log_noise, draw = NOISES[law]
    pair = curves(softmax_row(law, 1.0, weight, curvature, 3, 3))
    beta = draw(np.random.default_rng(0), SAMPLES)
    too_small = curves(plain_row(law, 1.0, weight, 3))  # as if the gradient moved by c and not by √2 c
    beyond = 0
    for offset in OFFSETS:
        ratio = OneRow(weight, curvature, np.array(offset), 0).log_density(beta, log_noise) - log_noise(beta)
        assert abs(np.exp(ratio).mean() - 1.0) <= 5 * np.exp(ratio).std() / np.sqrt(SAMPLES)  # a density, after all
        largest = ROOT_2 * weight + 2 * np.log1p(weight / (3 * curvature))
        if law == Law.EXPONENTIAL_NORM:
            assert -ROOT_2 * weight - 1e-9 <= ratio.min()
            assert ratio.max() <= largest + 1e-9
        for place, removal, addition, less in zip(
            pair.epsilon[::20], pair.removal[::20], pair.addition[::20],
            np.interp(pair.epsilon[::20], too_small.epsilon, too_small.addition), strict=True,
        ):  # fmt: skip
            gains = np.maximum(np.exp(ratio) - np.exp(place), 0.0), np.maximum(1.0 - np.exp(place + ratio), 0.0)
            for gain, bound in zip(gains, (removal, addition), strict=True):
                assert gain.mean() <= bound + 5 * gain.std() / np.sqrt(SAMPLES) + 1e-12
            beyond += gains[1].mean() > less + 5 * gains[1].std() / np.sqrt(SAMPLES)
    assert beyond  # the attack would notice a sensitivity that is too small


@pytest.mark.parametrize("law", NOISES)
def test_no_replacement_is_above_the_shift_accountants_delta(law):
    weight, curvature, delta = 1.0, 0.5, 0.02
    facts = facts_of(10.0, 0.2, [10], [1.0], dimension=3, loss=Softmax(3))
    noise = radmm.ObjectiveNoise(sigma=1.0) if law == Law.GAUSSIAN else radmm.ObjectiveNoise(1.0)
    ledger = make_ledger(facts, radmm.ADMM(0.15), noise, 1)
    assert ledger.releases[0].curvature == pytest.approx(curvature)
    epsilon = ACCOUNTANTS["shift"]().epsilon(ledger, delta)
    log_noise, draw = NOISES[law]
    beta = draw(np.random.default_rng(1), SAMPLES)
    for offset in OFFSETS:
        for other in (1, 2):
            there, replaced = (
                OneRow(weight, curvature, np.array(offset), own).log_density(beta, log_noise) - log_noise(beta)
                for own in (0, other)
            )
            gain = np.maximum(np.exp(there) - np.exp(epsilon + replaced), 0.0)
            assert gain.mean() <= delta + 5 * gain.std() / np.sqrt(SAMPLES)


def softmax_ledger(classes=3, noise=None):
    facts = facts_of(5.0, 0.4, [20, 30], [1.0, 1.0], dimension=6, loss=Softmax(classes))
    return make_ledger(facts, radmm.RADMM(0.3), noise or radmm.ObjectiveNoise(1.0), 4)


@pytest.mark.parametrize("name", ["paper", "pld"])
def test_accountants_without_a_proof_refuse_it_by_name(name):
    message = f"the {name} accountant can't bound exponential-norm objective noise for a softmax loss"
    with pytest.raises(InputError, match=message):
        ACCOUNTANTS[name]().epsilon(softmax_ledger(), 0.0 if name == "paper" else 1e-5)
    output = softmax_ledger(noise=radmm.OutputNoise(1.0))  # a plain shift, whatever the loss
    assert ACCOUNTANTS[name]().epsilon(output, 0.0 if name == "paper" else 1e-5) > 0


def test_the_pure_bound_is_both_terms_one_by_one():
    release = softmax_ledger().releases[0]
    weight, curvature = 5.0 / 20, 0.2 + 0.6
    leg, jacobian = ROOT_2 * weight, 2 * np.log1p(weight / (3 * curvature))
    assert release.rows == 20
    total = 2 * (2 * leg + jacobian)  # two data-touching steps
    assert ACCOUNTANTS["pure"]().epsilon(softmax_ledger()) == pytest.approx(total, rel=1e-12)
    zero_out = ACCOUNTANTS["pure"](Relation("zero-out")).epsilon(softmax_ledger())
    assert zero_out == pytest.approx(2 * (leg + jacobian), rel=1e-12)
    assert ACCOUNTANTS["shift"]().epsilon(softmax_ledger(), 1e-5) <= total


def test_two_classes_are_a_logistic_loss():
    class Stretched(Loss):
        """log(1 + e^(−√2 z))."""

        G, c1, monotone, form = ROOT_2, 0.5, True, LOGISTIC

        def value(self, margin):
            return np.logaddexp(0.0, -ROOT_2 * margin)

        def value_and_slope(self, margin):
            return self.value(margin), -ROOT_2 / (1.0 + np.exp(np.minimum(ROOT_2 * margin, 700.0)))

        def curvature(self, margin):
            share = self.value_and_slope(margin)[1] / -ROOT_2
            return 2.0 * share * (1.0 - share)

    check_stated_bounds(Stretched())
    ledgers = [
        make_ledger(facts_of(5.0, 0.4, [20], [1.0], 1, loss), radmm.RADMM(0.3), radmm.ObjectiveNoise(1.0), 4)
        for loss in (Softmax(2), Stretched())
    ]
    for name, accountant in ACCOUNTANTS.items():
        delta = 0.0 if accountant.pure else 1e-5
        first, second = (accountant().epsilon(ledger, delta) for ledger in ledgers)
        assert first == second > 0, name


class Twisted(Softmax):
    """Softmax, but for its slopes."""

    def value_and_slope(self, margin):
        value, slope = super().value_and_slope(margin)
        return value, slope * (1.0 + 1e-3 * np.sin(margin))


def test_a_loss_that_only_claims_to_be_a_softmax_is_refused():
    check_stated_bounds(Softmax(4))
    with pytest.raises(InputError, match="no privacy bound holds for it, as at the scores .* not of softmax form"):
        check_stated_bounds(Twisted(4))
    small = Softmax(4)
    object.__setattr__(small, "G", 1.0)
    with pytest.raises(InputError, match="G = 1.0 must be at least 1.41421"):
        check_stated_bounds(small)
    other = Softmax(4)
    object.__setattr__(other, "form", "bounded")
    with pytest.raises(InputError, match="with a margin for each class its form must be softmax"):
        check_stated_bounds(other)


class Negative(Softmax):
    """Slopes that add up to 1, though not all of them are probabilities."""

    def value_and_slope(self, margin):
        value, slope = super().value_and_slope(margin)
        return value, slope + np.array([1e-3, -1e-3, 0.0, 0.0])[:, None]


class Sharper(Softmax):
    """Probabilities of twice the scores: twice as curved."""

    def value_and_slope(self, margin):
        value, slope = super().value_and_slope(2.0 * margin)
        return 0.5 * value, slope


class Dearer(Softmax):
    """Slopes of a softmax, and a value that grows twice as fast."""

    def value_and_slope(self, margin):
        value, slope = super().value_and_slope(margin)
        return 2.0 * value, slope


class Overflowing(Softmax):
    """A softmax as one might write it first: e^800 is infinite, and its share not a number."""

    def value_and_slope(self, margin):
        terms = np.exp(-margin)
        total = terms.sum(axis=-2, keepdims=True)
        return np.log(total)[..., 0, :], -terms / total


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Negative, "its slopes are not of softmax form"),
        (Sharper, "its curvature is not of softmax form"),
        (Dearer, "its slope is not the derivative of its value"),
        (Overflowing, "its value or slope is not a finite number"),
    ],
)
def test_each_part_of_the_softmax_form_is_asked_for(kind, reason):
    with pytest.raises(InputError, match=f"no privacy bound holds for it, as at the scores .* {reason}$"):
        check_stated_bounds(kind(4))


def test_the_squared_loss_is_refused_with_noise_and_runs_without():
    features, labels, node = make_data()
    problem, network = radmm.Problem(features, labels, node, "squared", C=5.0), radmm.Network.from_edges(EDGES)
    with pytest.raises(InputError, match="loss = squared: no privacy bound holds for it, as it states no bound G"):
        radmm.solve(problem, network, radmm.RADMM(), noise=radmm.ObjectiveNoise(1.0))
    assert radmm.solve(problem, network, radmm.RADMM(), iterations=3).status[0].status == "done"


@pytest.mark.parametrize("width", [0.1, 0.5, 2.0])
def test_the_huberised_hinge_is_monotone_and_bounded(width):
    loss = HuberHinge(width)
    check_stated_bounds(loss)
    ledger = make_ledger(facts_of(5.0, 0.4, [20], [1.0], loss=loss), radmm.RADMM(0.3), radmm.ObjectiveNoise(1.0), 2)
    x = 5.0 / 20 / (2 * width) / 1.0
    assert ledger.releases[0].jacobian == pytest.approx(x)
    assert ACCOUNTANTS["pure"]().epsilon(ledger) == pytest.approx(0.5 + np.log1p(x))
    for name in ("renyi", "pld"):
        assert ACCOUNTANTS[name]().epsilon(ledger, 1e-5) > 0
