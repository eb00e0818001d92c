"""Curves that an experiment's table needs, known before anything runs: how long they take, and whether it does without.

A setting whose noise the shift accountant calibrated needs none here: its search has made them, and they are kept. For
the others a table that would take too long has the accountant's cap instead. That follows from the config alone, not
from which curves are kept, so that a table is the same wherever it is made.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from radmm.base.errors import InputError
from radmm.data.partition import known_counts
from radmm.data.partitions.even import Even
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.curves.cache import is_kept
from radmm.privacy.curves.removal_addition import PLAIN, Row, key_of
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.study.budgets import LONGEST_AT_ONCE, budget_of, requested
from radmm.study.noise_budget import NoiseBudget
from radmm.study.searches import Search
from radmm.study.setting_facts import facts_of, known_row_counts, network_of, query_log_of
from radmm.study.settings import Setting

SECONDS = {Law.GAUSSIAN: 0.15, Law.EXPONENTIAL_NORM: 2.4}  # seconds of one core for a curve
MOST_SECONDS = 600.0  # for the curves of a table: 250 of exponential-norm noise


class PlannedCurves(NamedTuple):
    """Curves that a table needs.

    Args:
        number: Number of curves.
        seconds: Estimated seconds to make them all.
        missing: Estimated seconds to make those that are neither shipped nor kept.
    """

    number: int
    seconds: float
    missing: float

    @property
    def capped(self) -> bool:
        """Whether the table has the cap in place of these curves."""
        return self.seconds > MOST_SECONDS


def is_calibrated_by_curves(setting: Setting) -> bool:
    """Return whether the noise of a setting is, or was, calibrated by the shift accountant, which made its curves."""
    asked = setting.calibrated_to or setting.noise
    by_epsilon = isinstance(asked, NoiseBudget) and asked.total_epsilon is not None
    return by_epsilon and budget_of(asked).accountant == ShiftAccountant.name  # type: ignore[arg-type]


def planned_curves(settings: Iterable[Setting], searches: Mapping[str, Search]) -> PlannedCurves:
    """Return the curves that the table of some settings needs, besides those that their searches make.

    Args:
        searches: Search for the noise of each setting with a budget, by the setting's id.
    """
    needing = [each for each in settings if each.noise is not None and not is_calibrated_by_curves(each)]
    rows = {row for each in needing for row in _rows(each, searches.get(each.id))}
    costs = {named: SECONDS[named[1].law] for named in rows}
    missing = (cost for (search, row), cost in costs.items() if search or not is_kept(key_of(row)))
    return PlannedCurves(len(rows), sum(costs.values()), sum(missing))


def _rows(setting: Setting, search: Search | None) -> Iterator[tuple[str, Row]]:
    """Yield the rows whose curves a setting needs, with the search that is to find their noise, if it is unknown."""
    noise = _known_noise(setting, search)
    with suppress(InputError):  # too few rows for its C: refused when they are spread
        ledger, name = _ledger(setting, noise), search.name if search and noise is None else ""
        accountant = ShiftAccountant()
        if not accountant.refuses(ledger):
            yield from ((name, row) for row in accountant.rows_of(ledger) if row.form != PLAIN)


def _known_noise(setting: Setting, search: Search | None) -> Noise | None:
    """Return the noise of a setting where it is given, or follows from a total bound by a formula; None elsewhere."""
    if search is None:
        return setting.known_noise
    by_bound = requested(setting).total_bound is not None and not search.needs_data
    return search.find(known_row_counts).noise if by_bound and setting.iterations <= LONGEST_AT_ONCE else None


def _ledger(setting: Setting, noise: Noise | None) -> Ledger:
    """Return a setting's ledger, at scale 1 without a noise; rows that only the data tell are taken to be even."""
    counts = known_row_counts(setting)
    if counts is None:
        counts = known_counts(Even(), setting.split.train, network_of(setting).nodes)
    assert counts is not None  # noqa: S101 (an even partition tells them)
    at_scale = noise or setting.noise_at_any_scale
    assert at_scale is not None  # noqa: S101 (callers have looked)
    return ledger_of(query_log_of(setting), facts_of(setting, counts), at_scale)
