"""Certified argmins: the bound holds in exact arithmetic, owes nothing to the solver, and covers neighbours."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import radmm
from radmm.base.errors import InputError
from radmm.model.losses.logistic import Logistic
from radmm.model.public_facts import PublicFacts
from radmm.privacy.query_log import record_queries
from radmm.privacy.relation import Neighbours, Relation
from radmm.publication import argmins
from radmm.publication.argmins import CertifiedArgmins
from radmm.publication.certificate import LONGEST, SLOPE_ERROR, Subproblem, within_norm
from radmm.publication.plan import plan_argmins
from tests.conftest import make_data

ADMM = radmm.ADMM(penalty=0.5)
NETWORK = radmm.Network(np.array([[0, 1], [1, 2], [2, 0]]))
COUNTS = (30, 20, 25)


def exactly(values):
    return [mpmath.mpf(float(each)) for each in values]


def exact_gradient_norm(problem, point):
    """The norm of the gradient to 40 digits, of the numbers as the machine has them."""
    with mpmath.workdps(40):
        f, linear = exactly(point), exactly(problem.linear)
        total = [slope + mpmath.mpf(problem.curvature) * each for slope, each in zip(linear, f, strict=True)]
        for row in problem.rows.toarray():
            x = exactly(row)
            margin = mpmath.fsum(a * b for a, b in zip(x, f, strict=True))
            slope = -1 / (1 + mpmath.exp(margin))
            total = [each + mpmath.mpf(problem.weight) * slope * a for each, a in zip(total, x, strict=True)]
        return mpmath.sqrt(mpmath.fsum(each**2 for each in total))


def subproblem(seed, rows=12, features=3, scale=1.0):
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((rows, features))
    table /= np.maximum(1.0, np.linalg.norm(table, axis=1))[:, None]
    return Subproblem(sparse.csr_array(table), 0.3, scale * rng.standard_normal(features), 0.7), rng


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1e-12, 1.0, 30.0, 1e6]), st.sampled_from([0.0, 1e-9, 1.0, 1e8]))
def test_the_bound_holds_in_exact_arithmetic(seed, size, scale):
    problem, rng = subproblem(seed, scale=scale)
    point = size * rng.standard_normal(3)
    exact = exact_gradient_norm(problem, point)
    bound = problem.residual_bound(point)
    assert exact <= bound
    assert bound <= float(exact) * (1 + 1e-5) + 1e-10 * (1 + size + scale)


def test_the_bound_counts_what_rounding_hides():
    """Where descent can go no further, the gradient as computed is often below the exact one, and the bound never."""
    below = 0
    for seed in range(20):
        problem, _ = subproblem(seed)
        point = np.zeros(3)
        for _ in range(400):
            point = point - problem.gradient(point) / 2.0
        exact = exact_gradient_norm(problem, point)
        below += float(np.linalg.norm(problem.gradient(point))) < exact
        assert exact <= problem.residual_bound(point)
    assert below > 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(-20, 3))
def test_at_a_certified_point_the_exact_gradient_is_within_the_tolerance(seed, log_start):
    problem, rng = subproblem(seed)
    point = problem.certified(10.0**log_start * rng.standard_normal(3), 1e-6)
    assert exact_gradient_norm(problem, point) <= 1e-6


def test_numpy_s_exponential_is_within_4_units_in_the_last_place():
    """The assumption of the certificate, tried at two thousand arguments from all over its range."""
    rng = np.random.default_rng(0)
    argument = -np.concatenate([rng.uniform(0, 40, 1000), 10.0 ** rng.uniform(-18, 2.8, 1000)])
    found = np.exp(argument)
    with mpmath.workdps(40):
        exact, unit = [mpmath.exp(each) for each in exactly(argument)], exactly(np.spacing(found))
        off = [abs(a - b) / last for a, b, last in zip(exactly(found), exact, unit, strict=True)]
    assert max(off) <= 4


def test_slopes_are_within_the_stated_error():
    rng = np.random.default_rng(1)
    far = 10.0 ** rng.uniform(-18, 2.8, 500)
    margin = np.concatenate([rng.uniform(-40, 40, 1000), far, -far])
    slope = Logistic().value_and_slope(margin)[1]
    with mpmath.workdps(40):
        exact = [-1 / (1 + mpmath.exp(each)) for each in exactly(margin)]
        off = [abs(a - b) for a, b in zip(exactly(slope), exact, strict=True)]
    assert max(off) <= SLOPE_ERROR


def test_rows_that_are_not_certain_to_be_short_count_as_zeros():
    rows = np.array([[0.6, 0.8], [0.6, 0.8000001], [np.nan, 0.1], [np.inf, 0.0], [1e200, 0.0], [0.0, 1.0]])
    with np.errstate(over="ignore"):
        kept = within_norm(sparse.csr_array(rows)).toarray()
    assert kept.any(axis=1).tolist() == [True, False, False, False, False, True]
    assert np.linalg.norm(kept, axis=1).max() <= LONGEST


def test_a_tolerance_below_what_rounding_hides_is_refused_by_public_numbers():
    problem, _ = subproblem(0, scale=1e12)
    with pytest.raises(InputError, match="^the released values grew beyond what argmins can be certified for"):
        problem.certified(np.zeros(3), 1e-6)


def plan_of(problem, neighbours="replace", rows=1):
    facts = PublicFacts.of_problem(problem, NETWORK.degrees)
    relation = Relation(Neighbours(neighbours), rows)
    return facts, plan_argmins(facts, record_queries(ADMM, NETWORK, 2), radmm.OutputNoise(sigma=1.0), relation)


def made_problem(change=None, rows=1):
    features, labels, node = make_data(row_counts=COUNTS, dimension=4)
    if change is not None:
        features[31 : 31 + rows], labels[31 : 31 + rows] = change
    return radmm.Problem(features, labels, node, C=10.0, rho=0.2)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-1, 1), min_size=4, max_size=4),
    st.sampled_from([-1.0, 1.0]),
    st.sampled_from(["replace", "zero-out"]),
    st.integers(1, 3),
    st.integers(0, 1000),
)
def test_neighbours_argmins_differ_by_at_most_the_sensitivity(values, label, neighbours, rows, seed):
    row = np.array(values) / max(1.0, np.linalg.norm(values))
    change = (row, label) if neighbours == "replace" else (np.zeros(4), label)
    linear = np.random.default_rng(seed).standard_normal((3, 4, 1))
    found = []
    for problem in (made_problem(), made_problem(change, rows)):
        facts, plan = plan_of(problem, neighbours, rows)
        found.append(CertifiedArgmins(problem, facts, plan).rounded(linear, np.zeros((3, 4, 1)), 0))
    moved = found[0][1].astype(object) - found[1][1].astype(object)
    assert (moved**2).sum() <= int(plan.sensitivity[0, 1]) ** 2
    for node in (0, 2):
        assert np.array_equal(found[0][node], found[1][node])


def test_the_sensitivity_is_that_of_the_argmin_and_little_more():
    facts, plan = plan_of(made_problem())
    exact = 2 * facts.row_weights / facts.strong_convexity(record_queries(ADMM, NETWORK, 2).weights)
    counted = plan.sensitivity * plan.unit
    assert (counted >= exact).all()
    assert (counted <= 1.004 * exact).all()
    assert (np.log2(plan.unit) % 1 == 0).all()  # dividing by it is exact


@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("rows", [1, 7])
def test_the_sensitivity_counts_rows_certificate_and_rounding(neighbours, rows):
    facts, plan = plan_of(made_problem(), neighbours, rows)
    legs = rows * (2 if neighbours == Neighbours.REPLACE else 1)
    for place in np.ndindex(plan.unit.shape):
        stated = facts.row_weights[place[1]], plan.unit[place], plan.grid.curvature[place], plan.grid.tolerance[place]
        weight, unit, curvature, tolerance = (Fraction(float(each)) for each in stated)
        moved = (legs * weight * Fraction(LONGEST) + 2 * tolerance) / curvature / unit
        assert moved + 2 <= int(plan.sensitivity[place]) < moved + 3  # √d is 2


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=2, max_size=6), st.sampled_from(list(Neighbours)))
def test_rows_of_a_person_at_several_nodes_cost_less_than_at_the_worst(parts, neighbours):
    """Each node's true distance for its share of the rows, in the steps of the plan for all of them at one node."""
    problem = made_problem()
    facts, plan = plan_of(problem, neighbours, sum(parts))
    legs = 2 if neighbours == Neighbours.REPLACE else 1
    spent = 0.0
    for count in parts:  # all at nodes like the worst one
        reach = (legs * count * facts.row_weights[1] * LONGEST + 2 * plan.grid.tolerance[0, 1]) / plan.grid.curvature[
            0, 1
        ]
        spent += (reach / plan.unit[0, 1] + np.sqrt(4)) ** 2
    assert spent <= plan.sensitivity[0, 1] ** 2


def test_more_rows_of_a_person_than_that_is_proved_for_are_refused():
    with pytest.raises(InputError, match="^rows = 10001: must be at most 10000 where argmins are released"):
        plan_of(made_problem(), "replace", 10_001)


def wrong_points(*given):
    linear = given[1]
    return [np.full(linear.shape, value) for value in (0.0, 5.0, -1e30, np.nan, np.inf)]


@pytest.mark.parametrize("which", range(6))
def test_nothing_rests_on_the_solver(monkeypatch, which):
    """Whatever it answers, or if it fails, the released point is certified by other code."""
    problem = made_problem()
    facts, plan = plan_of(problem)
    linear = np.random.default_rng(5).standard_normal((3, 4, 1))
    expected = CertifiedArgmins(problem, facts, plan).rounded(linear, np.zeros((3, 4, 1)), 0)

    class Answer:
        def __init__(self, point):
            self.point = point

    def minimise(self, *given):
        if which == 5:
            raise ArithmeticError("row 3")
        return Answer(wrong_points(self, *given)[which])

    monkeypatch.setattr(argmins.ArgminSolver, "minimise", minimise)
    found = CertifiedArgmins(problem, facts, plan).rounded(linear, np.zeros((3, 4, 1)), 0)
    for node in range(3):
        apart = np.linalg.norm((found[node] - expected[node]).astype(float)) * plan.unit[0, node]
        reach = 2 * plan.grid.tolerance[0, node] / plan.grid.curvature[0, node]
        assert apart <= reach + 2 * plan.unit[0, node]


@pytest.mark.parametrize("algorithm", [ADMM, radmm.RADMM(penalty=0.5, gamma=0.5)], ids=lambda each: each.name)
def test_argmins_are_released(algorithm):
    problem = made_problem()
    first, second = (radmm.release(problem, NETWORK, algorithm, radmm.OutputNoise(sigma=2.0), 6) for _ in range(2))
    assert (first.weights != second.weights).all()
    assert first.label == second.label
    near = radmm.release(problem, NETWORK, algorithm, radmm.OutputNoise(sigma=1e-9), 6).weights
    plain = radmm.solve(problem, NETWORK, algorithm, iterations=6, runs=1, initial_scale=0.0).classifier().weights
    np.testing.assert_allclose(near, plain, atol=0.01)
    research = radmm.epsilon(problem, NETWORK, algorithm, radmm.OutputNoise(sigma=2.0), 6, accountant="renyi")
    assert research <= first.guarantee <= 1.02 * research


@pytest.mark.parametrize("loss", ["huber-hinge", "softmax"])
def test_argmins_of_other_losses_are_refused(loss):
    features, labels, node = make_data(row_counts=COUNTS, dimension=4)
    problem = radmm.Problem(features, labels, node, loss=loss, C=10.0, rho=0.2)
    with pytest.raises(InputError, match="^loss: must be logistic"):
        radmm.release(problem, NETWORK, ADMM, radmm.OutputNoise(sigma=1.0), 2)


@pytest.mark.parametrize(("weight", "rho"), [(1e-170, 1e-170), (10.0, 1e170)])
def test_numbers_whose_squares_vanish_or_overflow_are_refused(weight, rho):
    """Else a norm of 0 would be certified of a gradient that is not 0."""
    features, labels, node = make_data(row_counts=(30,), dimension=4)
    problem = radmm.Problem(features, labels, node, C=weight, rho=rho)
    with pytest.raises(InputError, match="must be from 1e-60 to 1e\\+60 where argmins are released"):
        radmm.release(problem, radmm.Network([[0]]), ADMM, radmm.OutputNoise(sigma=1.0), 1)


@pytest.mark.parametrize("rows", [4, 300])
def test_descent_begins_only_where_it_is_certain_to_end(rows):
    """A start is at most 2r from zero and the argmin r, so iterates stay within 4r: rounding must hide little there."""
    problem, _ = subproblem(1, rows=rows, features=20)
    farthest = (problem.weight * rows * LONGEST + np.linalg.norm(problem.linear)) / problem.curvature
    for times, refused in ((3.9, True), (4.1, False)):
        tolerance = 10.0 * problem.hidden(times * farthest)
        if refused:
            with pytest.raises(InputError, match="^the released values grew beyond"):
                problem.certified(np.zeros(20), tolerance)
        else:
            assert problem.residual_bound(problem.certified(np.zeros(20), tolerance)) <= tolerance
