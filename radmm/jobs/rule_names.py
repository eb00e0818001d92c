"""Names of rules as Snakemake's log tells them: rules that are made one a batch count as one kind of job."""

import logging
import re
from collections import Counter

_BATCHES = re.compile(r"\b(\w+)_[0-9a-f]{12}\b(, \1_[0-9a-f]{12}\b)*")  # rules of one kind, one after the other


class MergedRules(logging.Filter):
    """Filter that names rules without their batch in the table of jobs, in the list of reasons and where a job begins.

    `traces_0409e1634e07` and its like are then one line and one bar, `traces`, and not a page of them. What is told of
    a job that failed keeps the rule's whole name.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Rename the rules in a record of Snakemake; every record passes."""
        if hasattr(record, "stats"):  # the table: number of jobs by rule
            counts: Counter[str] = Counter()
            for rule, jobs in record.stats.items():
                counts[_kind(rule)] += jobs
            record.stats = dict(counts)
        elif hasattr(record, "rule_msg"):  # a job that begins
            record.rule_name = _kind(record.rule_name)  # type: ignore[attr-defined]
        elif str(record.msg).startswith("Reasons:"):
            record.msg = _kind(record.msg)
        return True


def _kind(rules: str) -> str:
    return _BATCHES.sub(r"\1", rules)
