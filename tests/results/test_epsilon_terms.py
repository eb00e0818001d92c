"""What a table says of its ε: accountant, δ and relation by metric, and in each row the whole guarantee."""

import numpy as np
import pandas as pd
import pytest

import radmm
from radmm.data.topology import make_edges
from radmm.privacy.guarantee import EXACT_ARGMINS, SHARED_DRAWS, rounded_up
from radmm.results.epsilon_conditions import shared_draws
from radmm.results.epsilon_terms import BOUND, NOT_COVERED, guarantee_column, terms_by_metric
from radmm.results.tables import setting_statistics, total_epsilons

RING = radmm.Network.from_edges(make_edges({"law": "ring", "nodes": 4}))
CAVEAT = "Not covered by ε: the maximum of one column was taken from the data."


@pytest.fixture
def result(small):
    noise = radmm.ObjectiveNoise(alpha=2.0)
    return radmm.solve(small.problem, RING, radmm.RADMM(), noise=noise, iterations=4, runs=2)


def test_each_row_says_what_it_is_good_for(result):
    table = pd.concat([setting_statistics(result.trace), total_epsilons(result.ledger)]).assign(setting="one")
    said = guarantee_column(table, {"one": result.ledger}, {"one": CAVEAT})
    for text, metric, mean, iteration in zip(said, table["metric"], table["mean"], table["iteration"], strict=True):
        if metric not in terms_by_metric():
            assert text == NOT_COVERED
            continue
        each = terms_by_metric()[metric]
        assert text.startswith(f"ε = {rounded_up(mean)} in total at δ = {each.delta:g}, for {each.relation}, by the ")
        assert f"by the {each.accountant} accountant ({iteration} iterations, of which {(iteration + 1) // 2}" in text
        assert text.endswith(f"{EXACT_ARGMINS}; {CAVEAT.rstrip('.')})")
    assert {BOUND, "epsilon_pure", "epsilon_shift_zero-out_delta_1e-05"} <= set(table["metric"])


def test_without_noise_nothing_is_covered(small):
    free = radmm.solve(small.problem, RING, radmm.ADMM(), iterations=2, runs=1)
    table = setting_statistics(free.trace).assign(setting="free")
    assert set(guarantee_column(table, {}, {})) == {NOT_COVERED}


@pytest.mark.parametrize(
    ("seeds", "told"), [([0, 0], [SHARED_DRAWS]), ([0, 1], []), ([0, 1, 0], [SHARED_DRAWS]), ([0], []), ([], [])]
)
def test_settings_that_share_a_seed_are_told(seeds, told):
    assert shared_draws(seeds) == told


def test_the_sum_that_cancels_shared_draws(small):
    """What the sentence is about: noise of the output at α and α/2 cancels in two releases, to all digits."""
    network, algorithm = radmm.Network(np.ones((4, 4), dtype=int) - np.eye(4, dtype=int)), radmm.ADMM()
    strong, weak = (
        radmm.solve(small.problem, network, algorithm, noise=radmm.OutputNoise(alpha), iterations=1, runs=1, seed=3)
        for alpha in (2.0, 1.0)
    )
    free = radmm.solve(small.problem, network, algorithm, iterations=1, runs=1, seed=3)
    np.testing.assert_allclose(2.0 * strong.last - weak.last, free.last, atol=1e-12)
    assert np.abs(strong.last - free.last).max() > 0.01
