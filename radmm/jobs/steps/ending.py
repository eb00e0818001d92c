"""Say what a run has made: a short table of what is there, how long it took, and how the claims came out."""

import json
from collections import Counter
from pathlib import Path

from radmm.base.store import fault
from radmm.jobs.batches import TRACES
from radmm.jobs.plan import BATCHES, PLAN
from radmm.jobs.progress import is_over, progress


def ending(folder: Path) -> str:
    """One line each: where to look first, then how many of everything, then what is missing.

    Args:
        folder: In which the run was.
    """
    results = folder / "results"
    figures, tables = (
        sorted((results / kind).glob(f"*.{end}")) for kind, end in (("figures", "pdf"), ("tables", "csv"))
    )
    found = progress(folder, is_over(folder))
    rows = [
        ("report", "results/report.html" if (results / "report.html").is_file() else "not made"),
        ("figures", f"{len(figures)} in results/figures/"),
        ("tables", f"{len(tables)} in results/tables/"),
        ("settings", f"{len(list((folder / TRACES).glob('*.parquet')))} in {TRACES}/; of this run {found}"),
        *([("claims", claims)] if (claims := _claims(results / "claims.json")) else []),
        ("took", _took(folder / PLAN / BATCHES, [*figures, results / "report.html"])),
    ]
    text = "\n".join(f"  {name:9} {what}" for name, what in rows)
    return f"{text}\n{found.failures()}" if found.failed else text


def _claims(path: Path) -> str:
    if not path.is_file():
        return ""
    if reason := fault(path):
        return f"{path} {reason}"
    counted = Counter(claim["verdict"] for claim in json.loads(path.read_text(encoding="utf-8"))["claims"])
    return ", ".join(f"{number} {word}" for word, number in counted.most_common()) + ": results/claims.md"


def _took(begin: Path, made: list[Path]) -> str:
    """From when the last run began until the last of these files was written."""
    last = max((path.stat().st_mtime for path in made if path.is_file()), default=0.0)
    seconds = last - begin.stat().st_mtime
    if seconds < 0:
        return "nothing had to be made"
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


if __name__ == "__main__":
    print(ending(Path()))
