"""Noise that cancels between neighbours: its covariance, what hides a node, and what is told of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.argmin.engine_choice import engine_for
from radmm.base.errors import InputError
from radmm.model.public_facts import PublicFacts
from radmm.privacy import cancelling_noise
from radmm.privacy.cancelling_noise import draw_cancelling, effective_scales, lower_limit, pairs_of
from radmm.privacy.data_oracle import DataOracle
from radmm.privacy.guarantee import guarantee_of

RING = radmm.Network.from_edges([[0, 1], [1, 2], [2, 3], [0, 3], [0, 2]])
SIGMA = np.array([0.5, 0.7, 0.6, 0.9])


def covariance(network, sigma, ratio, away=()):
    """Σ of the nodes that don't collude, plainly."""
    left = [i for i in range(network.nodes) if i not in away]
    A = network.adjacency.toarray()[np.ix_(left, left)]
    laplacian = np.diag(A.sum(axis=1)) - A
    return left, np.diag(sigma[left] ** 2) + (ratio * sigma.min()) ** 2 * laplacian


def test_both_ends_of_an_edge_add_exact_negatives():
    pair = radmm.Network.from_edges([[0, 1]])
    noise = draw_cancelling(1.3, pair, 5, np.arange(3), 0, 1)
    assert (noise[0] == -noise[1]).all()
    assert np.abs(noise).min() > 0
    star = radmm.Network.from_edges([[0, 1], [0, 2], [0, 3]])
    drawn = draw_cancelling(1.3, star, 5, np.arange(3), 0, 1)
    np.testing.assert_allclose(drawn[0], -drawn[1:].sum(axis=0), rtol=0, atol=1e-14)
    assert not np.allclose(drawn[1], drawn[2])
    assert not np.allclose(drawn, draw_cancelling(1.3, star, 5, np.arange(3), 0, 2))
    assert (draw_cancelling(1.3, star, 5, np.array([2]), 0, 1)[..., 0] == drawn[..., 2]).all()


def test_a_draw_in_parts_is_the_draw_as_a_whole(monkeypatch):
    whole = draw_cancelling(1.3, RING, 5, np.arange(3), 0, 1)
    monkeypatch.setattr(cancelling_noise, "MOST_DRAWN", 12)  # two of five edges at a time
    np.testing.assert_allclose(draw_cancelling(1.3, RING, 5, np.arange(3), 0, 1), whole, rtol=0, atol=1e-14)


@pytest.mark.parametrize("kind", [radmm.GradientNoise, radmm.MomentNoise, radmm.OutputNoise, radmm.ObjectiveNoise])
def test_who_sees_all_messages_finds_the_noise_that_the_ledger_states(small, kind):
    """What is left of a node's noise once it is predicted as well as can be from all other nodes' messages."""
    noise, runs = kind(sigma=SIGMA, cancelling=2.0), 6000
    facts = PublicFacts.of_problem(small.problem, RING.degrees)
    oracle = DataOracle(engine_for(small.problem), facts, noise, 1, runs, RING)
    point = np.repeat(np.random.default_rng(0).standard_normal((4, 4, 1)), runs, axis=2)
    problem, weight = small.problem, np.full(4, 3.0)
    row_weights = facts.row_weights[:, None, None]

    def gradient(f):
        return row_weights * engine_for(problem).gradients(f) + 0.1 * f

    if kind is radmm.GradientNoise:
        messages = oracle.gradient(point) - gradient(point)
    elif kind is radmm.MomentNoise:
        messages = oracle.moments(point).linear / -0.5
    else:
        released = oracle.argmin(point, weight, point)
        messages = released
        if kind is radmm.ObjectiveNoise:
            messages = -(gradient(released) + point + 3.0 * released)
    algorithm = {radmm.GradientNoise: radmm.DGD(), radmm.MomentNoise: radmm.OneShot()}.get(kind, radmm.ADMM())
    stated = radmm.ledger(small.problem, RING, algorithm, noise, 1)
    _, sigma = covariance(RING, SIGMA, 2.0)
    for u in range(4):
        others = np.delete(messages, u, axis=0).transpose(1, 2, 0)
        left = []
        for feature in range(4):
            seen = np.column_stack([others[feature], np.ones(runs)])
            found = np.linalg.lstsq(seen, messages[u, feature], rcond=None)[0]
            left.append(np.var(messages[u, feature] - seen @ found))
        effective = stated.event(1, u).entering_scale
        assert effective == pytest.approx(np.linalg.inv(sigma)[u, u] ** -0.5, rel=1e-6)
        assert np.mean(left) == pytest.approx(effective**2, rel=0.05)  # four standard errors
        assert stated.event(1, u).scale == SIGMA[u]
        assert effective > 1.2 * SIGMA[u]


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_the_worst_coalition_is_found_and_the_limit_is_below_it(data):
    nodes = data.draw(st.integers(3, 6))
    ring = [[i, (i + 1) % nodes] for i in range(nodes)]
    more = data.draw(st.sets(st.sampled_from([(i, j) for i in range(nodes) for j in range(i + 1, nodes)])))
    edges = sorted({tuple(sorted(edge)) for edge in ring} | more)
    network = radmm.Network.from_edges(np.array(edges))
    sigma = np.array(data.draw(st.lists(st.floats(0.5, 2.0), min_size=nodes, max_size=nodes)))
    ratio, k = data.draw(st.floats(0.1, 10.0)), data.draw(st.integers(0, 2))
    told = effective_scales(sigma, ratio, k, network)
    worst = np.full(nodes, np.inf)
    sets = [s for s in np.ndindex(*(2,) * nodes) if sum(s) == k]
    for chosen in sets:
        left, matrix = covariance(network, sigma, ratio, np.flatnonzero(chosen))
        worst[left] = np.minimum(worst[left], np.diag(np.linalg.inv(matrix)) ** -0.5)
    assert (told <= worst * (1 + 1e-12)).all()
    assert told == pytest.approx(worst, rel=1e-6)
    shared = (ratio * sigma.min()) ** 2
    limit = lower_limit(sigma**2, shared, k, pairs_of(network))
    assert (limit <= worst**2 * (1 + 1e-9)).all()
    assert (limit >= sigma**2).all()


def test_many_sets_are_bounded_by_the_limit():
    network = radmm.Network(1 - np.eye(30, dtype=int))
    told = effective_scales(np.ones(30), 1.0, 5, network)  # 142,506 sets
    assert told == pytest.approx(np.full(30, np.sqrt(1 + (29 - 5) / 2)), rel=1e-6)
    assert len(pairs_of(network)) == 435


def test_totals_calibration_and_words(small):
    plain, shared = (radmm.GradientNoise(sigma=3.0, cancelling=ratio) for ratio in (0.0, 1.0))
    told = [radmm.epsilon(small.problem, RING, radmm.DGD(), noise, 5) for noise in (plain, shared)]
    assert told[1] < 0.9 * told[0]
    one = radmm.epsilon(
        small.problem, RING, radmm.DGD(), radmm.GradientNoise(sigma=3.0, cancelling=1.0, colluders=1), 5
    )
    assert told[1] < one < told[0]
    ledger = radmm.ledger(small.problem, RING, radmm.DGD(), shared, 5)
    assert radmm.Ledger.from_columns(ledger.columns()).threat == ledger.threat
    assert "reads all messages" in str(guarantee_of(ledger, 1e-5))
    assert radmm.ledger(small.problem, RING, radmm.DGD(), plain, 5).threat is None
    several = replace(ledger, releases=tuple(replace(ledger.releases[0], colluders=k) for k in (2, 1, 3)))
    assert "at most one node tells" in several.threat  # a total holds against no more than each of its releases


@pytest.mark.parametrize(
    ("noise", "sentence"),
    [
        (lambda: radmm.ObjectiveNoise(alpha=1.0, cancelling=1.0), "must be left out for exponential-norm objective"),
        (lambda: radmm.PenaltyNoise(sigma=1.0, cancelling=1.0), "must be left out for gaussian penalty noise"),
        (lambda: radmm.ObjectiveNoise(sigma=1.0, colluders=1), "must be left out without cancelling"),
        (lambda: radmm.ObjectiveNoise(sigma=1.0, cancelling=-1.0), "must be at least 0"),
    ],
)  # fmt: skip
def test_bad_input_is_named(noise, sentence):
    with pytest.raises(InputError, match=sentence):
        noise()


def test_colluders_that_cut_a_node_off_are_refused(small):
    noise = radmm.ObjectiveNoise(sigma=1.0, cancelling=1.0, colluders=1)
    with pytest.raises(InputError, match="colluders = 1: .* node 0 has 1.* its noise is then its own"):
        radmm.solve(small.problem, small.network, radmm.ADMM(), noise=noise)


@pytest.mark.parametrize("law", ["gaussian", "exponential-norm"])
def test_a_budget_may_grow_from_round_to_round(small, law):
    shared = {"cancelling": 1.0, "colluders": 1} if law == "gaussian" else {}
    noise = radmm.calibrate(
        small.problem, RING, radmm.DGD(), radmm.GradientNoise, 4, epsilon=1.0, law=law, accountant="renyi",
        growth=1.25, **shared,
    )  # fmt: skip
    assert 0.99 <= radmm.epsilon(small.problem, RING, radmm.DGD(), noise, 4, accountant="renyi") <= 1.0
    steps = [noise.scales(k, 4)[0] for k in (1, 2)]
    assert steps[1] / steps[0] == pytest.approx(1 / 1.25 if law == "gaussian" else 1.25)
    assert (noise.cancelling, noise.colluders) == ((1.0, 1) if shared else (0.0, 0))
