"""The summary that ends a run: where to look first, how much there is of each kind, and the verdicts on the claims."""

import json
from collections import Counter
from pathlib import Path

from radmm.base.store import fault
from radmm.results.claims.tally import category


def run_summary(results: Path) -> str:
    """Return one line each for the report, figures, tables, traces and claims that a folder holds."""
    report = results / "report.html"
    rows = [
        ("report", str(report) if report.is_file() else ""),
        *((name, _count(results / name, suffix)) for name, suffix in (("figures", "pdf"), ("tables", "csv"))),
        ("settings", _count(results / "traces", "parquet")),
        ("claims", _claims(results / "claims.json")),
    ]
    return "\n".join(f"  {name:9} {what}" for name, what in rows if what)


def _count(folder: Path, suffix: str) -> str:
    found = len(list(folder.glob(f"*.{suffix}")))
    return f"{found} in {folder}/" if found else ""


def _claims(path: Path) -> str:
    if not path.is_file():
        return ""
    if reason := fault(path):
        return f"{path} {reason}"
    claims = json.loads(path.read_text(encoding="utf-8"))["claims"]
    counted = Counter(category(list(claim["words"].values())) for claim in claims)
    return ", ".join(f"{number} {word}" for word, number in counted.most_common()) + f": {path.with_suffix('.md')}"
