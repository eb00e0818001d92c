"""Write the report: figures with what they were made of, and the verdicts, in one page that needs no other file."""

import base64
import html
import json
from pathlib import Path
from typing import Any

from radmm.base.store import checked, write_text
from radmm.jobs.plan import read_study
from radmm.jobs.steps.command import run, say

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>radmm: report</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
img {{ max-width: 100% }}
table {{ border-collapse: collapse; font-size: 14px }}
td, th {{ border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top }}
</style></head><body>
<h1>Recycled ADMM</h1>
<p>Privacy bounds and every ε are totals of one whole run, for neighbours that replace one row at one node; what is for
another relation says so.</p>
{claims}
{figures}
</body></html>
"""


def report(plan: Path, figures: Path, partitions: Path, output: Path, sets: str, claims: Path | None = None) -> None:
    """Of the experiments of some sets; without claims where there are none."""
    experiments = read_study(plan)["experiments"]
    chosen = {name: part["settings"] for name, part in experiments.items() if part["set"] in sets.split(",")}
    sections = [_figure(name, settings, figures / f"{name}.png") for name, settings in chosen.items()]
    spread: dict[str, list[str]] = {}
    for experiment in chosen:
        for name in experiments[experiment]["partitions"]:
            spread.setdefault(name, []).append(experiment)
    sections += [_partition(name, users, partitions / f"{name}.png") for name, users in spread.items()]
    verdicts = "" if claims is None else _claims(json.loads(checked(claims).read_text(encoding="utf-8")))
    write_text(output, PAGE.format(claims=verdicts, figures="\n".join(sections)))
    say(f"{len(sections)} figures")


def _figure(name: str, settings: int, png: Path) -> str:
    return _section(name, f"{settings} settings; statistics in results/tables/{name}.csv", png)


def _partition(name: str, users: list[str], png: Path) -> str:
    return _section(name, f"Who has which training rows in {', '.join(users)}", png)


def _section(name: str, text: str, png: Path) -> str:
    picture = base64.b64encode(checked(png).read_bytes()).decode()
    return f'<h2 id="{name}">{name}</h2>\n<p>{text}</p>\n<img alt="{name}" src="data:image/png;base64,{picture}">'


def _claims(claims: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{html.escape(claim['says'])}</td><td>{'ours; ' if claim['ours'] else ''}{html.escape(claim['place'])}"
        f"</td><td>{html.escape(claim['verdict'])}{_only_if(claim)}</td></tr>"
        for claim in claims["claims"]
    ]
    heading = "<h2>Verdicts</h2>\n<table><tr><th>claim</th><th>place</th><th>verdict</th></tr>\n"
    return heading + "\n".join(rows) + "\n</table>"


def _only_if(claim: dict[str, Any]) -> str:
    return f": holds only if {html.escape(claim['condition'])}" if claim["condition"] else ""


if __name__ == "__main__":
    run(report, __doc__, plan=Path, claims=Path, figures=Path, partitions=Path, output=Path, sets=str)
