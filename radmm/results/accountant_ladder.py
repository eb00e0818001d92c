"""The ladder of accountants: total ε of the worked setting, with the same noise, by every accountant."""

from collections.abc import Iterator

from radmm.accounting import ALPHAS, COLUMNS, CURVATURE, STEPS, WORKED_DELTA, ledger_after
from radmm.privacy.accountants.accountant import ACCOUNTANTS, Accountant
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.guarantee import conditions_of
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.relation import Neighbours, Relation

COUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # numbers of releases at α = 1
FLOOR = "plain shift"  # lower bound for every accountant, where a row is replaced


def ladder() -> Iterator[dict[str, str | float]]:
    """Yield one row for each accountant, relation, number of releases and α."""
    pairs = sorted({(steps, alpha) for steps in STEPS for alpha in ALPHAS} | {(count, 1.0) for count in COUNTS})
    longest = {alpha: steps for steps, alpha in pairs}  # whose ledger begins like those of fewer releases
    ledgers = {
        alpha: [ledger_after(steps, noise) for noise in (ObjectiveNoise(alpha), OutputNoise(alpha * CURVATURE))]
        for alpha, steps in longest.items()
    }
    for steps, alpha in pairs:
        released, shifted = ledgers[alpha]
        for name, accountant in accountants().items():
            ledger = shifted if name == FLOOR else released
            yield {
                "accountant": name,
                "neighbours": str(accountant.relation.neighbours),
                "K": steps,
                "alpha": alpha,
                "delta": 0.0 if accountant.pure else WORKED_DELTA,
                "epsilon": accountant.epsilon(ledger, 0.0 if accountant.pure else WORKED_DELTA, 2 * steps),
                "conditions": "; ".join(["in total over K releases", *conditions_of(ledger)]),
            }


def accountants() -> dict[str, Accountant]:
    """Return the accountants from the largest to the smallest ε."""
    zeroed = ShiftAccountant(Relation(Neighbours.ZERO_OUT))
    steps: dict[str, Accountant] = {name: ACCOUNTANTS[name]() for name in COLUMNS}
    return {**steps, "shift": ShiftAccountant(), FLOOR: ShiftAccountant(), "shift, zero-out": zeroed}
