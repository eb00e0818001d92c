"""Say what a run has made: a short table of what is there, and how the claims came out."""

import json
from collections import Counter
from pathlib import Path

from radmm.base.store import fault
from radmm.jobs.steps.step_runner import run


def ending(results: Path) -> None:
    """Print where to look first, then how many of everything there are.

    Args:
        results: The folder of all results.
    """
    print(table_of_contents(results))


def table_of_contents(results: Path) -> str:
    """One line each for the report, figures, tables, traces and claims.

    Args:
        results: The folder of all results.
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
    run(ending, __doc__, results=Path)
