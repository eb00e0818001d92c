"""Bring the README's figure and numbers up to date with results/: called by `make readme`, never edited by hand."""

import re
import shutil
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


def main() -> None:
    shutil.copyfile(ROOT / "results" / "figures" / "fig5.png", ROOT / "docs" / "fig5.png")
    readme = ROOT / "README.md"
    table = numbers(pd.read_parquet(ROOT / "results" / "tables" / "fig5.parquet"))
    readme.write_text(BLOCK.sub(lambda match: match[1] + table + match[2], readme.read_text()))


if __name__ == "__main__":
    main()
