"""The contract of a noise: it is drawn from the law and scale that its releases state, and from streams of its own."""

from typing import Any

import numpy as np
from scipy import stats

from radmm.algorithms.admm import MADMM
from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.contract.contract_error import Broken, calling, require
from radmm.contract.example_problem import DIMENSION, NODES, example_facts, example_network, example_problem
from radmm.privacy.events import Release
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.query_log import ArgminQuery, GradientQuery, Query, QueryLog, record_queries

SAMPLES = 2000  # runs of which noise is drawn
UNLIKELY = 1e-5  # a fixed seed: what is right is either never this unlikely, or always
LIKE = 0.5  # correlation of two draws of 200 numbers that are not independent
WIDE = 50  # features of the draws that are compared
BAD: tuple[Any, ...] = (0.0, -1.0, float("nan"), float("inf"), "text", None, True, [1.0, -1.0], {})


def example_noise(noise: type[Noise]) -> Noise:
    """Return a noise with an α, or with a σ if its class takes no α."""
    with calling("alpha = 0.7 or sigma = 0.7"):
        return noise(alpha=0.7) if _taken(noise, alpha=0.7) else noise(sigma=0.7)


def check_noise(noise: Noise) -> str | None:
    """Raise Broken if a noise breaks its contract, with both laws if it takes both; else return a remark."""
    _check_declarations(noise)
    _check_refusals(type(noise))
    both: tuple[dict[str, Any], ...] = ({"alpha": 0.7}, {"sigma": 0.7})
    laws = [given for given in both if _taken(type(noise), **given)]
    for given in laws:
        kind = type(noise)(**given)
        _check_streams(kind)
        _check_law(kind)
    _check_ledger(noise)
    return None if len(laws) == 2 else f"it takes {', '.join(laws[0])} only"


def _taken(noise: type[Noise], **given: Any) -> bool:
    try:
        noise(**given)
    except InputError:
        return False
    return True


def _check_declarations(noise: Noise) -> None:
    event = getattr(noise, "event", None)
    require(
        isinstance(event, type) and issubclass(event, Release), f"event = {event!r}: must be a type of radmm.Release"
    )
    perturbs = noise.perturbs
    require(
        isinstance(perturbs, type) and issubclass(perturbs, Query),
        f"perturbs = {perturbs!r}: must be a type of question",
    )
    with calling("refusal(MADMM())"):
        reason = noise.refusal(MADMM())
    require(reason is None or isinstance(reason, str), f"refusal must give a sentence or None, not {reason!r}")


def _check_refusals(noise: type[Noise]) -> None:
    tried: list[dict[str, Any]] = [{name: value} for name in ("alpha", "sigma") for value in BAD]
    tried += [{}, {"alpha": 1.0, "sigma": 1.0}, {"alpha": 1.0, "repair": -1.0}, {"sigma": 1.0, "repair": 0.0}]
    for given in tried:
        written = ", ".join(f"{name} = {value!r}" for name, value in given.items()) or "neither alpha nor sigma"
        try:
            noise(**given)
        except InputError:
            continue
        except Exception as error:
            raise Broken(
                f"{written} must be refused by an InputError, not by {type(error).__name__}: {error}"
            ) from error
        raise Broken(f"{written} must be refused by an InputError, but it is taken")


def _draw(noise: Noise, step: int, dimension: int, runs: Integers, seed: int = 0) -> Array:
    with calling("draw"):
        drawn = noise.draw(step, dimension, runs, seed, NODES)
    shape = (NODES, dimension, len(runs))
    require(np.shape(drawn) == shape, f"draw gives shape {np.shape(drawn)}: must be (node, feature, run), {shape}")
    require(np.all(np.isfinite(drawn)), "draw gives values that are not finite")
    return drawn


def _ledger(noise: Noise) -> Ledger:
    query_log = record_queries(MADMM(), example_network(), 4)
    if not issubclass(ArgminQuery, noise.perturbs):
        query_log = QueryLog(
            tuple(noise.perturbs(query.iteration, 0.0 * query.weight) for query in query_log.queries),
            query_log.data_steps,
        )
    with calling("the ledger of its releases"):
        return ledger_of(query_log, example_facts(example_problem()), noise)


def _check_law(noise: Noise) -> None:
    """Check norms by a Kolmogorov–Smirnov test, and directions by mean and covariance, where the noise enters."""
    drawn = _draw(noise, 1, DIMENSION, np.arange(SAMPLES))
    weight = record_queries(MADMM(), example_network(), 1).weights[0]
    added = noise.on_output or issubclass(GradientQuery, noise.perturbs)
    ledger = _ledger(noise)
    with calling("linear_term"):
        entering = drawn if added else noise.linear_term(drawn, weight)
    for node in range(NODES):
        scale = ledger.releases[ledger.which[0, node]].entering_scale
        norm = np.linalg.norm(entering[node], axis=0)
        norms = norm * scale if noise.law == Law.EXPONENTIAL_NORM else (norm / scale) ** 2
        law = stats.gamma(DIMENSION) if noise.law == Law.EXPONENTIAL_NORM else stats.chi2(DIMENSION)
        ratio = float(np.mean(norms)) / float(law.mean())
        likely = stats.kstest(norms, law.cdf).pvalue > UNLIKELY
        require(
            likely,
            f"its noise is not drawn from the {noise.law} law of the scale that it states: at node {node} "
            f"{'' if noise.law == Law.EXPONENTIAL_NORM else 'squared '}norms are {ratio:.3g} times what they should be",
        )
        direction = entering[node] / norm
        mean, spread = direction.mean(axis=1), direction @ direction.T / SAMPLES
        even = np.all(np.abs(mean) < 5.0 / np.sqrt(SAMPLES)) and np.all(
            np.abs(spread - np.eye(DIMENSION) / DIMENSION) < 5.0 / np.sqrt(SAMPLES)
        )
        require(even, f"the directions of its noise are not uniform: their mean at node {node} is {np.round(mean, 2)}")


def _check_streams(noise: Noise) -> None:
    """Check that no two nodes, runs, steps or seeds share noise, and that a run's depends on no other run."""
    runs = np.arange(3)
    drawn = _draw(noise, 1, WIDE, runs)
    require(_draw(noise, 1, WIDE, runs).tobytes() == drawn.tobytes(), "draws with the same seed differ")
    alone = _draw(noise, 1, WIDE, runs[2:])
    require(np.array_equal(alone[..., 0], drawn[..., 2]), "a run's noise depends on which other runs there are")
    pairs = {
        "two runs share their noise": (drawn[..., 0], drawn[..., 1]),
        "two steps share their noise": (drawn[..., 0], _draw(noise, 2, WIDE, runs)[..., 0]),
        "two nodes share their noise": (drawn[0], drawn[1]),
        "two seeds share their noise": (drawn[..., 0], _draw(noise, 1, WIDE, runs, seed=1)[..., 0]),
    }
    if not noise.on_output:
        with calling("draw_repair"):
            repair = type(noise)(alpha=noise.alpha, sigma=noise.sigma, repair=0.3).draw_repair(1, WIDE, runs, 0, NODES)
        pairs["the repair shares the noise it is added to"] = (drawn, repair)
    for sentence, (one, other) in pairs.items():
        with np.errstate(invalid="ignore"):
            alike = abs(float(np.corrcoef(one.ravel(), other.ravel())[0, 1]))
        require(not alike >= LIKE, sentence)


def _check_ledger(noise: Noise) -> None:
    ledger = _ledger(noise)
    for release in ledger.releases:
        with calling("a property of its release"):
            known = (release.shift, release.entering_scale, release.jacobian, release.repair_mu, release.shift_in_noise)
        require(
            np.all(np.isfinite(known)) and release.shift > 0, f"its release states no finite positive shift: {release}"
        )
    with calling("a ledger of its releases, written and read again,"):
        again = Ledger.from_columns(ledger.columns())
    require(again.releases == ledger.releases, "its releases, written to a file and read again, are others")
