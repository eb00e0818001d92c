"""Total ε of a run, and noise calibrated to a total ε; neither needs data."""

from typing import Any

from radmm.algorithms.algorithm import Algorithm
from radmm.base.errors import InputError
from radmm.base.inputs import as_number, shown
from radmm.driver import check_fit
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.public_facts import TOLERANCE
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.calibration import Budget, Mechanism, calibrate_noise
from radmm.privacy.guarantee import UNKNOWN_PREPARATION, Guarantee, guarantee_of
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.query_log import record_queries
from radmm.privacy.relation import Neighbours, Relation


def ledger(
    problem: Problem,
    network: Network,
    algorithm: Algorithm[Any],
    noise: Noise,
    iterations: int,
    tolerance: float = TOLERANCE,
) -> Ledger:
    """Return the ledger of all that a run will release, before it runs.

    Args:
        problem: Problem, of which only the public facts matter.
        network: Graph over which the nodes exchange values.
        algorithm: Algorithm with its hyper-parameters.
        noise: Noise with which everything is released.
        iterations: Number of iterations T.
        tolerance: Gradient norm at which the solver will stop.
    """
    if noise is None:
        raise InputError("noise = None: must be given, as without noise there is no guarantee")
    _, made = check_fit(problem, network, algorithm, noise, iterations, tolerance)
    assert made is not None  # noqa: S101 (there is noise)
    return made


def epsilon(
    problem: Problem,
    network: Network,
    algorithm: Algorithm[Any],
    noise: Noise,
    iterations: int,
    delta: float = 1e-5,
    accountant: str = "shift",
    neighbours: str = Neighbours.REPLACE,
    rows: int = 1,
    tolerance: float = TOLERANCE,
) -> Guarantee:
    """Compute the total ε of a run at δ, over all iterations and nodes: a float that carries its conditions.

    Args:
        problem: Problem, of which only the public facts matter.
        network: Graph over which the nodes exchange values.
        algorithm: Algorithm with its hyper-parameters.
        noise: Noise with which everything is released.
        iterations: Number of iterations T.
        delta: δ; accountants of pure differential privacy (paper, pure) need none.
        accountant: Name of the accountant that computes the bound.
        neighbours: Neighbouring relation of the guarantee: replace or zero-out.
        rows: Largest number of rows that one person contributes.
        tolerance: Gradient norm at which the solver will stop.
    """
    relation = Relation.named(neighbours, rows)
    found = ledger(problem, network, algorithm, noise, iterations, tolerance)
    return guarantee_of(found, delta, accountant, relation).under(UNKNOWN_PREPARATION)


def calibrate(
    problem: Problem,
    network: Network,
    algorithm: Algorithm[Any],
    kind: type[Noise],
    iterations: int,
    epsilon: float,
    delta: float = 1e-5,
    law: str = Law.GAUSSIAN,
    accountant: str = "shift",
    neighbours: str = Neighbours.REPLACE,
    rows: int = 1,
    cancelling: float = 0.0,
    colluders: int = 0,
    growth: float = 1.0,
    tolerance: float = TOLERANCE,
) -> Noise:
    """Return the noise with which a run spends at most ε, and hardly less.

    With noise that cancels between neighbours, the ε holds only against the attackers that `ledger(…).threat` names.

    Args:
        problem: Problem, of which only the public facts matter.
        network: Graph over which the nodes exchange values.
        algorithm: Algorithm with its hyper-parameters.
        kind: Class of the noise, like `radmm.ObjectiveNoise`.
        iterations: Number of iterations T.
        epsilon: Total ε that may be spent.
        delta: δ; accountants of pure differential privacy (paper, pure) need none.
        law: gaussian or exponential-norm.
        accountant: Name of the accountant that computes the bound.
        neighbours: Neighbouring relation of the guarantee: replace or zero-out.
        rows: Largest number of rows that one person contributes.
        cancelling: σ_c/σ of noise that cancels between neighbours.
        colluders: Number of nodes that may then collude.
        growth: Growth of α or 1/σ from one data-touching step to the next: above 1, later ones spend more.
        tolerance: Gradient norm at which the solver will stop.
    """
    if not (isinstance(kind, type) and issubclass(kind, Noise)):
        raise InputError(f"kind = {shown(kind)}: must be a class of noise, like radmm.ObjectiveNoise")
    if law not in list(Law):
        raise InputError(f"law = {shown(law)}: must be one of {', '.join(Law)}")
    spendable = 0.0 if ACCOUNTANTS[accountant].pure else as_number("delta", delta)
    budget = Budget(as_number("epsilon", epsilon), spendable, accountant, Relation.named(neighbours, rows))
    if not 0.0 < as_number("growth", growth) < 100.0:
        raise InputError(f"growth = {growth:g}: must be above 0 and below 100")
    mechanism = Mechanism(kind, Law(law), None, cancelling, colluders, growth)
    facts, _ = check_fit(problem, network, algorithm, mechanism.noise(1.0), iterations, tolerance)
    scale = calibrate_noise(facts, record_queries(algorithm, network, iterations), mechanism, budget)
    assert isinstance(scale, float)  # noqa: S101 (one for all nodes)
    return mechanism.noise(scale)
