"""The report's content, as plain data."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, read_metadata
from radmm.privacy.guarantee import NOT_FOR_RELEASE, SHARED_DRAWS
from radmm.results.claims.tally import tally
from radmm.results.report.display_names import ALONG, BUDGET, metric_names, parameter_name, total_names, value_text
from radmm.results.report.experiments import experiment_page
from radmm.results.report.headline import budget_page, headline
from radmm.results.report.overview import data_facts, network_drawings, run_counts
from radmm.results.report.packing import Curves, pack_all
from radmm.results.report.page import PLOTLY, as_script
from radmm.results.report.plotly_styles import accountants
from radmm.results.report.recommended import recommendations
from radmm.results.report.replicated import replicated_pages
from radmm.results.report.tuned import tuned_pages
from radmm.study.entries import Entry

LIMIT = 9_500_000  # bytes of the whole page
ALWAYS_SHOWN = (
    "bound.node",
    "rows.fewest",
    "rows.most",
    "calibrated_to_total_bound",
)  # columns of settings that are no question
_SOLVED = re.compile(r"\] (\S+) begins$(?:(?! begins$).)*?solved in ([\d.]+) CPU seconds", re.MULTILINE | re.DOTALL)

FEATURES = 105  # those of Adult, in example commands where a data source doesn't tell its own


def gather(
    described: Mapping[str, Mapping[str, Any]],
    experiments: Mapping[str, Sequence[Entry]],
    results: Path,
    networks: Path,
    data: Path,
    command: str,
) -> JsonObject:
    """Return the content of the report on some experiments; claims and audit are included if they exist.

    Args:
        described: Title, set, figure, options and partitions of each experiment.
        experiments: Entries of each experiment, with calibrated noise.
        results: Folder of all results of the study.
        networks: Folder of the networks.
        data: Folder of prepared data.
        command: Command that runs the workflow as it was run, up to the folder of results.
    """
    traces = {
        name: Curves.of(pd.read_parquet(checked(results / "traces" / f"{name}.parquet")))
        for name in dict.fromkeys(setting.id for settings in experiments.values() for setting in settings)
    }
    pages = [
        experiment_page(name, described[name], settings, results, command) for name, settings in experiments.items()
    ]
    claims = read_claims(results / "claims.json") if any(page["set"] == "paper" for page in pages) else None
    table = pd.read_parquet(checked(results / "settings.parquet"))
    facts, budget = data_facts(experiments, data), budget_page(pages)
    tuned, replicated = tuned_pages(results), replicated_pages(results)
    found: JsonObject = {
        "sentence": tally(claims["claims"]) if claims else run_counts(pages),
        "headline": headline(budget) if budget else None,
        "recommended": recommendations(facts[0]["facts"].get("features", FEATURES), command.partition("snakemake")[0]),
        "notices": [NOT_FOR_RELEASE, SHARED_DRAWS],
        "tuned": tuned,
        "replicated": replicated,
        "facts": facts,
        "networks": network_drawings(experiments, table, networks),
        "claims": [claim_summary(claim) for claim in claims["claims"]] if claims else [],
        "assumed": claims["assumed"] if claims else "",
        "experiments": pages,
        "settings": _settings(table, experiments, results),
        "audit": read_audit(results / "audit.parquet"),
        "red_team": read_red_team(results / "red_team.csv"),
        "accountants": accountants(),
        "along": ALONG,
        "budget": BUDGET,
        "metrics": {name: list(text) for name, text in (metric_names() | total_names()).items()},
    }
    page = Path(__file__).with_name(PLOTLY).stat().st_size + len(as_script(found).encode())
    return found | {"traces": pack_all(traces, LIMIT - page)}


def read_claims(path: Path) -> JsonObject | None:
    """Read the verdicts on the claims; None if there are none."""
    if not path.is_file():
        return None
    claims: JsonObject = json.loads(checked(path).read_text(encoding="utf-8"))
    return claims


def claim_summary(claim: Mapping[str, Any]) -> JsonObject:
    """Return a verdict with its exceptions: the cases that fail, where others hold."""
    fails = [case for case in claim["cases"] if case["outcome"] == "fails"]
    exceptions = [
        ", ".join(f"{axis} = {value_text(value)}" for axis, value in case["at"].items())
        for case in (fails if claim["counts"]["holds"] else [])
    ]
    told = ("name", "verdict", "condition", "ours", "counts", "place", "says", "effect", "margin", "figure", "evidence")
    verdicts = {claim["evidence"].split(":")[0]: claim["verdict"]}
    verdicts |= {data: found["verdict"] for data, found in claim["data_sets"].items()}
    summary = {key: claim[key] for key in told}
    return summary | {"verdicts": verdicts, "exceptions": exceptions, "not_tested": claim["not_tested"]}


def _settings(table: pd.DataFrame, experiments: Mapping[str, Sequence[Entry]], results: Path) -> dict[str, list[Any]]:
    """Return a table of settings by experiment: the parameters that differ, the status, and the CPU seconds."""
    table = table[table["experiment"].isin(experiments)]
    parameters = [
        name for name in table if name not in ("id", "experiment", "label", "asked") and "theory" not in str(name)
    ]
    differing = [str(name) for name in parameters if table[name].map(str).nunique() > 1 or name in ALWAYS_SHOWN]
    differing = [name for name in differing if table[name].notna().any()]
    seconds, status = solver_seconds(results / "logs" / "batches"), {}
    for name in table["id"].unique():
        status[name] = _status(read_metadata(results / "traces" / f"{name}.parquet")["status"])
    head = ["setting", "experiment", "label", *map(parameter_name, differing), "status", "CPU seconds"]
    rows = [
        [
            *(row[name] for name in ("id", "experiment", "label")),
            *(_cell(row[name]) for name in differing),
            status[row["id"]],
            seconds.get(row["id"]),
        ]
        for row in table.to_dict("records")
    ]
    return {"columns": head, "rows": rows}


def _status(runs: Sequence[Mapping[str, Any]]) -> str:
    ended = [run for run in runs if run["reason"]]
    return f"{len(ended)} of {len(runs)} runs ended: {ended[0]['reason']}" if ended else "done"


def solver_seconds(logs: Path) -> dict[str, float]:
    """Return the CPU seconds of each setting, from the logs of the jobs that solved it, as far as there are logs.

    Args:
        logs: Folder of the batches' logs.
    """
    texts = (log.read_text(encoding="utf-8", errors="replace") for log in sorted(logs.glob("*.log")))
    return {match[1]: float(match[2]) for text in texts for match in _SOLVED.finditer(text)}


def _cell(value: Any) -> Any:
    """Return a finite number or a text for a cell; None for anything else."""
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    if value is None or not np.isfinite(value):
        return None
    return float(f"{value:.12g}")


def read_audit(path: Path) -> JsonObject | None:
    """Read the tightest check of each bound, among checks that differ in direction and δ alone.

    Args:
        path: Path of the audit's table, which may not exist.
    """
    if not path.is_file():
        return None
    table = pd.read_parquet(checked(path)).query("verdict != ''")  # what is only drawn has none
    table = table.assign(reached=(table["low"] / table["bound"]).where(table["bound"] > 0))
    alike = ["audit", "case", "neighbours", "algorithm", "mechanism", "law", "d", "B", "K", "quantity", "accountant"]
    alike = [name for name in alike if name in table]
    ordered = table.sort_values(["verdict", "reached"], ascending=[True, False], kind="stable")  # falls come first
    counts = table.groupby(alike, dropna=False).size()
    first = ordered.groupby(alike, dropna=False, sort=False).head(1)
    columns = [*alike, "epsilon", "delta", "bound", "estimate", "low", "high", "reached", "verdict"]
    rows = [
        [*(_cell(row[name]) for name in columns), int(counts[tuple(row[name] for name in alike)])]
        for row in first.to_dict("records")
    ]
    return {
        "columns": [*columns, "checks"],
        "rows": rows,
        "total": len(table),
        "fallen": int((table["verdict"] == "falls").sum()),
    }


def read_red_team(path: Path) -> JsonObject | None:
    """Return how often each attack was right.

    Args:
        path: The red team's table, which may not have been made.
    """
    if not path.is_file():
        return None
    table = pd.read_csv(checked(path)).drop(columns=["delta", "certain"])
    return {"columns": list(table), "rows": [[_cell(value) for value in row] for row in table.to_numpy().tolist()]}
