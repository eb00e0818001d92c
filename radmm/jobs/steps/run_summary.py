"""Print a summary of a run: a short table of its results, and the verdicts on the claims."""

import json
from collections import Counter
from pathlib import Path

from radmm.base.store import fault
from radmm.jobs.steps.step_runner import run


def print_summary(results: Path) -> None:
    """Print where to look first, and how many results of each kind there are."""
    print(table_of_contents(results))


def table_of_contents(results: Path) -> str:
    """Return one line each for the report, figures, tables, traces and claims.

    Args:
        results: Folder of all results.
    """
    figures, tables, traces = (
        len(list((results / kind).glob(f"*.{end}")))
        for kind, end in (("figures", "pdf"), ("tables", "csv"), ("traces", "parquet"))
    )
    report = results / "report.html"
    rows = [
        ("report", str(report) if report.is_file() else "not made"),
        ("figures", f"{figures} in {results / 'figures'}/"),
        ("tables", f"{tables} in {results / 'tables'}/"),
        ("settings", f"{traces} in {results / 'traces'}/"),
        *([("claims", claims)] if (claims := _claims(results / "claims.json")) else []),
    ]
    return "\n".join(f"  {name:9} {what}" for name, what in rows)


def _claims(path: Path) -> str:
    if not path.is_file():
        return ""
    if reason := fault(path):
        return f"{path} {reason}"
    counted = Counter(claim["verdict"] for claim in json.loads(path.read_text(encoding="utf-8"))["claims"])
    return ", ".join(f"{number} {word}" for word, number in counted.most_common()) + f": {path.with_suffix('.md')}"


if __name__ == "__main__":
    run(print_summary, __doc__, results=Path)
