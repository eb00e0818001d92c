"""Write the report: every figure with what it was made of, and the verdicts, in one page that needs no other file."""

import base64
import html
import json
from pathlib import Path
from typing import Any

from radmm.base.store import write_text
from radmm.jobs.steps.command import run, say
from radmm.study.resolution import resolve

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>radmm: report</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
img {{ max-width: 100% }}
table {{ border-collapse: collapse; font-size: 14px }}
td, th {{ border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top }}
</style></head><body>
<h1>Recycled ADMM, reproduced</h1>
<h2>Verdicts</h2>
{claims}
{figures}
</body></html>
"""


def report(config: dict[str, Any], claims: Path, figures: Path, output: Path) -> None:
    experiments = resolve(config)
    sections = [_figure(name, len(settings), figures / f"{name}.png") for name, settings in experiments.items()]
    verdicts = _claims(json.loads(claims.read_text(encoding="utf-8")))
    write_text(output, PAGE.format(claims=verdicts, figures="\n".join(sections)))
    say(f"{len(sections)} figures")


def _figure(name: str, settings: int, png: Path) -> str:
    picture = base64.b64encode(png.read_bytes()).decode()
    source = f"{settings} settings; statistics in results/tables/{name}.csv"
    return f'<h2 id="{name}">{name}</h2>\n<p>{source}</p>\n<img alt="{name}" src="data:image/png;base64,{picture}">'


def _claims(claims: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{html.escape(claim['says'])}</td><td>{html.escape(claim['place'])}</td>"
        f"<td>{html.escape(claim['verdict'])} {html.escape(claim['condition'])}</td></tr>"
        for claim in claims["claims"]
    ]
    return "<table><tr><th>claim</th><th>place</th><th>verdict</th></tr>\n" + "\n".join(rows) + "\n</table>"


if __name__ == "__main__":
    run(report, __doc__, config=json.loads, claims=Path, figures=Path, output=Path)
