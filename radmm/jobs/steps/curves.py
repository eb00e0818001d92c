"""Compute the privacy curves that the shipped experiments, the worked table and the audit need, as package data."""

from collections.abc import Iterator
from pathlib import Path

import yaml

from radmm.accounting import ALPHAS, gaussian_sigma, ledger_after
from radmm.jobs.steps.step_runner import run, say
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.curves.cache import ship
from radmm.privacy.curves.removal_addition import PLAIN, Row, key_of, points
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.results.audit.extension_cases import every_case
from radmm.study.budgets import bound_of, calibrate
from radmm.study.resolution import resolve
from radmm.study.setting_facts import known_facts, query_log_of
from radmm.study.settings import Setting

EVERY = 50  # curves between two lines of the log


def make_curves(config: Path) -> None:
    """Compute all curves one after the other; those in this user's cache are not computed again."""
    needed = rows_needed(config)
    found = {}
    for number, row in enumerate(needed):
        found[key_of(row)] = points(row)
        if number % EVERY == 0:
            say(f"{number} of {len(needed)} curves")
    ship(found)
    say(f"{len(found)} curves")


def rows_needed(config: Path) -> list[Row]:
    """Return the rows of the worked table, of every setting with noise, and of audit cases whose curves are slow."""
    accountant = ShiftAccountant()
    rows = {row for ledger in (*_worked(), *_settings(config)) for row in accountant.rows_of(ledger)}
    audited = {row for case in every_case() for row in accountant.rows_of(case.setup.ledger) if row.form != PLAIN}
    return sorted(rows | audited, key=key_of)


def _worked() -> Iterator[Ledger]:
    for alpha in ALPHAS:
        yield ledger_after(1, ObjectiveNoise(alpha))
        yield ledger_after(1, ObjectiveNoise(sigma=gaussian_sigma(alpha)))


def _settings(config: Path) -> Iterator[Ledger]:
    for settings in resolve(yaml.safe_load(config.read_text(encoding="utf-8"))).values():
        by_id = {entry.id: entry.setting for entry in settings}
        yield from (_ledger(setting, by_id) for setting in by_id.values() if setting.noise is not None)


def _ledger(setting: Setting, by_id: dict[str, Setting]) -> Ledger:
    facts = known_facts(setting)
    assert facts is not None  # noqa: S101 (the shipped partitions need no data)
    if not setting.is_calibrated:
        other = by_id[setting.reference or setting.id]
        other_facts = known_facts(other)
        assert other_facts is not None  # noqa: S101
        setting = setting.with_noise(calibrate(setting, facts, bound_of(other, other_facts)))
    noise = setting.known_noise
    assert noise is not None  # noqa: S101 (the caller has looked)
    return ledger_of(query_log_of(setting), facts, noise)


if __name__ == "__main__":
    run(make_curves, __doc__, config=Path)
