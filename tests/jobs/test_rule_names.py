"""Rules that are made one a batch count as one kind of job in Snakemake's log."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from radmm.jobs.rule_names import MergedRules

BATCHES = ("traces_0409e1634e07", "traces_050ad5772f27")


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    found = logging.getLogger("tests.rule_names")
    merged = MergedRules()
    found.addFilter(merged)
    yield found
    found.removeFilter(merged)


def logged(logger: logging.Logger, caplog: pytest.LogCaptureFixture, message: str, **facts: Any) -> logging.LogRecord:
    with caplog.at_level(logging.INFO, logger=logger.name):
        logger.info(message, extra=facts)
    return caplog.records[-1]


def test_the_table_of_jobs_has_one_line_for_all_batches(
    logger: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    stats = {BATCHES[0]: 1, BATCHES[1]: 1, "pictures_of_main_networks": 1, "total": 3}
    found = logged(logger, caplog, "Job stats", stats=stats)
    assert vars(found)["stats"] == {"traces": 2, "pictures_of_main_networks": 1, "total": 3}


def test_a_job_that_begins_is_of_the_kind_and_one_that_failed_of_its_batch(
    logger: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    begun = logged(logger, caplog, "", rule_name=BATCHES[0], rule_msg="Running 8 settings")
    failed = logged(logger, caplog, "", rule_name=BATCHES[0])
    names = [vars(record)["rule_name"] for record in (begun, failed)]
    assert names == ["traces", BATCHES[0]]


def test_reasons_name_each_kind_once(logger: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    listed = f"Reasons:\n    new:\n        calibrate_643795311cdb, table, {', '.join(BATCHES)}"
    assert logged(logger, caplog, listed).getMessage() == "Reasons:\n    new:\n        calibrate, table, traces"


def test_other_messages_stay(logger: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    message = f"Removing output files of failed job {BATCHES[0]}"
    assert logged(logger, caplog, message).getMessage() == message
