"""Bring the documents' figures and numbers up to date with results/ and benchmarks/: never edited by hand."""

import json
import re
import shutil
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(<!-- numbers: begin -->\n).*?(<!-- numbers: end -->)", re.DOTALL)


def numbers(table: pd.DataFrame) -> str:
    """The last iteration of each setting as a Markdown table: mean, and range in brackets."""
    last = table[table["iteration"] == table.groupby("setting")["iteration"].transform("max")]
    lines = ["| α | algorithm | total bound P(T) | training loss | test error |", "|---|---|---|---|---|"]
    order = last.sort_values("noise.alpha", ascending=False, kind="stable", na_position="first")
    for setting in order["setting"].unique():
        rows = order[order["setting"] == setting].set_index("metric")
        alpha, label = rows["noise.alpha"].iloc[0], rows["label"].iloc[0]
        bound = f"{rows.loc['privacy_loss', 'mean']:.2f}" if "privacy_loss" in rows.index else "–"
        loss, error = (
            f"{rows.loc[name, 'mean']:.4f} ({rows.loc[name, 'range']:.4f})" for name in ("loss", "error_rate")
        )
        runs = rows.loc["loss", "n"]
        label += "" if runs == table["n"].max() else f" ({runs} runs only)"
        lines.append(f"| {'–' if pd.isna(alpha) else f'{alpha:g}'} | {label} | {bound} | {loss} | {error} |")
    return "\n".join(lines) + "\n"


def refresh(document: Path, text: str) -> None:
    document.write_text(BLOCK.sub(lambda match: match[1] + text + match[2], document.read_text()))


def readme() -> None:
    shutil.copyfile(ROOT / "results" / "figures" / "fig5.png", ROOT / "docs" / "fig5.png")
    refresh(ROOT / "README.md", numbers(pd.read_parquet(ROOT / "results" / "tables" / "fig5.parquet")))


def performance() -> None:
    sys.path.insert(0, str(ROOT))
    from benchmarks.report import markdown

    results = json.loads((ROOT / "benchmarks" / "results.json").read_text())
    refresh(ROOT / "docs" / "performance.md", markdown(results))


def cluster() -> None:
    sys.path.insert(0, str(ROOT))
    from benchmarks.grid import markdown

    refresh(ROOT / "docs" / "cluster.md", markdown(json.loads((ROOT / "benchmarks" / "grid.json").read_text())))


if __name__ == "__main__":
    {"readme": readme, "performance": performance, "cluster": cluster}[sys.argv[1]]()
