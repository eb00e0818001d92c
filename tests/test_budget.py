"""What ε do I get, and which noise for it: one call each."""

import pytest

import radmm
from radmm.base.errors import InputError

R = radmm.RADMM(1.0)


def test_epsilon_is_that_of_what_is_run(small):
    noise = radmm.ObjectiveNoise(sigma=3.0)
    result = radmm.solve(small.problem, small.network, R, noise=noise, iterations=6, runs=2)
    before = radmm.epsilon(small.problem, small.network, R, noise, 6)
    assert result.epsilon(delta=1e-5) == before > 0
    assert radmm.epsilon(small.problem, small.network, R, noise, 6, accountant="renyi") > before
    zeroed = radmm.epsilon(small.problem, small.network, R, noise, 6, neighbours="zero-out")
    assert 0.3 * before < zeroed < 0.6 * before < radmm.epsilon(small.problem, small.network, R, noise, 6, rows=2)
    ledger = radmm.ledger(small.problem, small.network, R, noise, 6)
    assert ledger.releases == result.ledger.releases


@pytest.mark.parametrize("neighbours", ["replace", "zero-out"])
@pytest.mark.parametrize("kind", [radmm.ObjectiveNoise, radmm.OutputNoise])
def test_calibrated_noise_spends_nearly_all_and_no_more(small, kind, neighbours):
    noise = radmm.calibrate(small.problem, small.network, R, kind, 6, epsilon=1.0, neighbours=neighbours)
    spent = radmm.epsilon(small.problem, small.network, R, noise, 6, neighbours=neighbours)
    assert 0.99 <= spent <= 1.0
    assert noise.sigma == float(f"{noise.sigma:.10g}")


def test_calibrated_to_a_pure_budget(small):
    noise = radmm.calibrate(
        small.problem, small.network, R, radmm.ObjectiveNoise, 6, epsilon=5.0, law="exponential-norm", accountant="pure"
    )
    spent = radmm.epsilon(small.problem, small.network, R, noise, 6, accountant="pure")
    assert 5.0 * (1 - 1e-8) <= spent <= 5.0


BAD = [
    ({"delta": 0.0}, "delta = 0: must be above 0 and below 1"),
    ({"delta": 2.0}, "delta = 2: must be above 0 and below 1"),
    ({"delta": 1e-12, "accountant": "pld"}, "delta = 1e-12: must be at least 1e-09 for the pld accountant"),
    ({"delta": "x"}, "delta = 'x': must be a finite number"),
    ({"accountant": "shfit"}, "accountant = 'shfit': must be one of .*; did you mean shift"),
    ({"neighbours": "add"}, "neighbours = 'add': must be one of replace, zero-out"),
    ({"rows": 0}, "rows = 0: must be a whole number, at least 1"),
    ({"accountant": "pld", "neighbours": "zero-out"}, "the pld accountant has no proof for it; must be replace"),
    ({"accountant": "pld", "rows": 2}, "rows = 2: the pld accountant has a proof for one row only"),
    ({"accountant": "pure"}, "the pure accountant can't bound gaussian objective noise"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_what_does_not_go_together_is_refused(small, options, message):
    with pytest.raises(InputError, match=message):
        radmm.epsilon(small.problem, small.network, R, radmm.ObjectiveNoise(sigma=3.0), 4, **options)


@pytest.mark.parametrize("iterations", [0, -1, 2.5, True, "3"])
def test_a_run_has_at_least_one_round(small, iterations):
    """Nothing would be released in none: an ε of 0 would be no answer, and any noise would meet a budget."""
    noise = radmm.ObjectiveNoise(sigma=3.0)
    sentence = f"iterations = {iterations!r}: must be a whole number, at least 1"
    for ask in (radmm.epsilon, radmm.ledger):
        with pytest.raises(InputError, match=sentence):
            ask(small.problem, small.network, R, noise, iterations)
    with pytest.raises(InputError, match=sentence):
        radmm.calibrate(small.problem, small.network, R, radmm.ObjectiveNoise, iterations, epsilon=1.0)
    with pytest.raises(InputError, match=sentence):
        radmm.solve(small.problem, small.network, R, noise=noise, iterations=iterations)


def test_without_noise_there_is_no_epsilon(small):
    result = radmm.solve(small.problem, small.network, R, iterations=2, runs=1)
    with pytest.raises(InputError, match="the runs had no noise"):
        result.epsilon()
    with pytest.raises(InputError, match="noise = None"):
        radmm.epsilon(small.problem, small.network, R, None, 2)
    with pytest.raises(InputError, match="kind = .*must be a class of noise"):
        radmm.calibrate(small.problem, small.network, R, "objective", 2, epsilon=1.0)
    with pytest.raises(InputError, match="law = 'normal': must be one of exponential-norm, gaussian"):
        radmm.calibrate(small.problem, small.network, R, radmm.ObjectiveNoise, 2, epsilon=1.0, law="normal")
