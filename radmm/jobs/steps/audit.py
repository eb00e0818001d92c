"""Audit the privacy bounds: write the findings beside each bound, and fail if one of them doesn't stand."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from radmm.base.store import write_csv, write_parquet
from radmm.jobs.steps.step_runner import say
from radmm.results.audit.attack import likelihood_ratios, released_iterates
from radmm.results.audit.bound_checks import (
    BoundCheck,
    attack_checks,
    complaint,
    exact_checks,
    quadrature_checks,
    totals_of_case,
)
from radmm.results.audit.canary_cases import one_run_check, with_canaries
from radmm.results.audit.extension_cases import held_hinges, sampled
from radmm.results.audit.one_run import audit_setup
from radmm.results.audit.paper_cases import attacks, held, panels, releases, transcripts
from radmm.results.audit.transcripts import sample_losses
from radmm.study.config import AuditSection

DIRECTIONS = ("forward", "reverse")  # the run has the record, or its replacement
IN_A_PANEL = 5  # times as many samples
ONE_RUN_DELTA = 1e-5


def audit(sizes: AuditSection, code: str, parquet: Path, csv: Path) -> None:
    """Write the table of all checks of the audit.

    Args:
        sizes: Numbers of samples and runs.
        parquet: Output: the table.
        csv: Output: the table as CSV.
    """
    with threadpool_limits(1, user_api="blas"):  # the bytes must not depend on the number of cores
        checks = [*quadrature_audit(), *exact_audit(sizes), *black_box_audit(sizes), *one_run_audits(sizes)]
    table = pd.DataFrame([check.row() for check in checks])
    write_parquet(parquet, table, {"audit": sizes.model_dump(), "code": code})
    write_csv(csv, table)
    wrong = complaint(checks)
    if wrong:
        sys.exit(f"error: {wrong}")
    closest = max((check.tightness for check in checks if check.total.accountant == "shift"), default=0.0)
    say(f"{len(checks)} checks: every bound stands; the shift accountant's were reached to {closest:.1%}")


def quadrature_audit() -> Iterator[BoundCheck]:
    """Compare bounds with the exact laws of the cases whose releases are held in one place."""
    cases = [*held(), *held_hinges()]
    say(f"laws by quadrature, {len(cases)} cases")
    for case in cases:
        for reverse, direction in enumerate(DIRECTIONS):
            yield from quadrature_checks(case, bool(reverse), direction, totals_of_case(case))


def exact_audit(sizes: AuditSection) -> Iterator[BoundCheck]:
    """Compare bounds with sampled exact losses of single releases, transcripts and panels."""
    groups = {"single releases": releases(), "transcripts": [*transcripts(), *sampled()], "panels": panels()}
    for name, cases in groups.items():
        say(f"exact losses, {len(cases)} {name}")
        for case in cases:
            samples = sizes.samples * (IN_A_PANEL if case.panel else 1)
            for reverse, direction in enumerate(DIRECTIONS):
                losses = sample_losses(case, bool(reverse), samples, sizes.seed)
                yield from exact_checks(case, direction, losses, totals_of_case(case))


def black_box_audit(sizes: AuditSection) -> Iterator[BoundCheck]:
    """Compare bounds with membership tests on whole runs of the solver."""
    say(f"membership tests, {len(attacks())} cases")
    for case in attacks():
        iterates = (released_iterates(case, replaced, sizes.runs, sizes.seed) for replaced in (False, True))
        with_record, with_replacement = (likelihood_ratios(case, primal) for primal in iterates)
        yield from attack_checks(case, with_record, with_replacement, totals_of_case(case))


def one_run_audits(sizes: AuditSection) -> Iterator[BoundCheck]:
    """Audit one run with canaries of each case, and yield what it found of the claimed ε."""
    cases = with_canaries(sizes.canaries)
    say(f"one run each with {sizes.canaries} canaries, {len(cases)} cases")
    for case in cases:
        found = audit_setup(case.setup, sizes.canaries, ONE_RUN_DELTA, "shift", sizes.seed)
        say(str(found))
        yield one_run_check(case, found)
