"""`radmm solve`: solve one setting from flags or from a config, without Snakemake."""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.regular_files import require_output
from radmm.command.chosen_setting import choose
from radmm.command.parser import NO, OK, Commands, add_command, lines, note, tell
from radmm.command.prepare import PreparedSetting, add_data_flags, prepare
from radmm.command.printed_totals import PrintedTotal, add_guarantee_flags, printed_total
from radmm.command.ranks import refuse_ranks
from radmm.command.raw_rows import KEPT
from radmm.command.setting_flags import add_setting_flags
from radmm.command.solve_by_ranks import add_nodes_flags, run_by_ranks
from radmm.jobs.steps.solve import ledger_path, solve_setting, solver_digest, store_trace
from radmm.outcome.picture_metadata import metadata_of
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.result import DONE, Result
from radmm.study.settings import Setting

EXAMPLES = """\
  radmm solve --data adult --train 40000 --network ring,nodes=5 --C 1750 --rho 0.22 \\
      --algorithm r-admm,gamma=0.5 --noise objective,alpha=1
  radmm solve --setting "fig5/ADMM, not private"            an entry of config/config.yaml
  radmm solve --config my.yaml --setting mine/R-ADMM --runs 3 --save-classifier f.json
"""
CODES = "0 if all runs are done, 1 if one diverged or its noise gives no guarantee, 2 if the setting can't be used"
PICTURES = (".png", ".pdf", ".svg")
BAR = 30  # characters
NOT_COVERED = ["last", "data", "hashes", "parameters.seed"]  # what of `--json` tells of rows or noise by itself
SCORES = {  # main metrics: their labels, and which iterates they are about
    "loss": ("training loss", "after the last iteration"),
    "error_rate": ("test error", "after the last iteration"),
    "error_rate_average": ("averaged", "test error of the average of all iterates"),
}


def add(commands: Commands) -> None:
    """Add `radmm solve` and its flags to the command line."""
    about = "Solve one setting; described by flags or by an entry of a config. All its runs are solved at once."
    parser = add_command(commands, "solve", run, about, EXAMPLES, CODES)
    add_setting_flags(parser)
    add_data_flags(parser)
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="number of threads; results do not depend on it (default: 1)",
    )
    add_guarantee_flags(parser)
    add_nodes_flags(parser)
    parser.add_argument(
        "--save-trace",
        type=Path,
        metavar="FILE.parquet",
        help="save the trace as the workflow does; with noise, FILE.ledger.parquet beside it lists what a run releases",
    )
    parser.add_argument(
        "--save-classifier", type=Path, metavar="FILE.json", help="save the average of the nodes' classifiers in run 0"
    )
    parser.add_argument("--save-plot", type=Path, metavar="FILE", help="draw the trace as PNG, PDF or SVG")


def run(given: argparse.Namespace) -> int:
    """Solve the setting, print the results and write the files asked for."""
    if given.save_plot and given.save_plot.suffix not in PICTURES:
        raise InputError(f"--save-plot {given.save_plot}: must end in {', '.join(PICTURES)}")
    if given.save_trace and given.save_trace.suffix != ".parquet":
        raise InputError(f"--save-trace {given.save_trace}: must end in .parquet")
    if given.threads < 1:
        raise InputError(f"--threads {given.threads}: must be at least 1")
    if given.nodes:
        return run_by_ranks(given, _report)
    refuse_ranks()
    for flag, path in _outputs(given):
        require_output(flag, path)
    chosen = choose(given)
    setting, inputs, columns, data = prepare(chosen, given.raw)
    begin = time.monotonic()
    result, _ = solve_setting(setting, inputs, _bar() if sys.stderr.isatty() else None, given.threads)
    seconds = time.monotonic() - begin
    known = PreparedSetting(chosen.name, setting, inputs.network, inputs.hashes, columns, data, len(inputs.split.train))
    return _report(given, result, known, seconds)


def _report(given: argparse.Namespace, result: Result, known: PreparedSetting, seconds: float) -> int:
    """Print the results and write the files asked for.

    Args:
        known: What is known of the setting that was solved.
        seconds: Wall seconds that the solve took.
    """
    promise, setting = None, known.setting
    if result.ledger is not None:
        promise = printed_total(given, result.ledger, setting.data.caveat)
    facts = {
        "setting": setting.id,
        "parameters": setting.to_json(),
        "hashes": known.hashes,
        "data": known.data,
        "last": _last(result),
        "privacy": None if promise is None else promise.facts(),
        "not_covered_by_epsilon": [] if promise is None else NOT_COVERED,
        "status": [vars(status) for status in result.status],
        "seconds": seconds,
    }
    _save(given, result, setting, facts, known.columns, promise)
    if given.save_trace:
        store_trace(result, setting, known.hashes, setting.data.caveat, given.save_trace)
        note(f"trace written to {given.save_trace}. {NOT_FOR_RELEASE}")
        if result.ledger is not None:
            note(f"ledger, what a run releases, written to {ledger_path(given.save_trace)}")
    tell(given, facts, _summary(known, facts, promise))
    kept = promise is None or promise.holds
    return OK if kept and all(status.status == DONE for status in result.status) else NO


def _outputs(given: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """Yield all files that may be written, each with the flag that asks for it."""
    for name in ("save_trace", "save_classifier", "save_plot"):
        if path := getattr(given, name):
            yield f"--{name.replace('_', '-')}", path
    if given.save_trace:
        yield "the ledger of --save-trace", ledger_path(given.save_trace)


def _save(
    given: argparse.Namespace,
    result: Result,
    setting: Setting,
    facts: JsonObject,
    columns: list[str],
    promise: PrintedTotal | None,
) -> None:
    if given.save_classifier:
        plain = result.classifier()
        named = tuple(columns) if len(columns) == plain.features else None
        made = {name: facts[name] for name in ("setting", "parameters", "hashes", "privacy")}
        made["not_for_release"] = NOT_FOR_RELEASE
        made["prepared"] = {name: facts["data"][name] for name in KEPT if name in facts["data"]}
        is_table = "scales" in facts["data"]
        classes = tuple(facts["data"]["rows_of_class"]) if is_table else None  # their names, in the order of the labels
        replace(plain, columns=named, classes=classes, made=made).save(given.save_classifier)
        note(f"classifier of run 0 written to {given.save_classifier}. {NOT_FOR_RELEASE}")
    if given.save_plot:
        given.save_plot.parent.mkdir(parents=True, exist_ok=True)
        code = solver_digest(setting)
        provenance = {"settings": [facts["setting"]], "data": [facts["hashes"]["data"]], "code": [code]}
        disclaimer = " ".join([*([f"{promise}."] if promise else []), NOT_FOR_RELEASE])
        metadata = metadata_of(given.save_plot.suffix, provenance, disclaimer)
        result.plot().savefig(given.save_plot, metadata=metadata)
        note(f"picture written to {given.save_plot}. {NOT_FOR_RELEASE}")


def _last(result: Result) -> dict[str, dict[str, float]]:
    """Return mean and standard deviation of the main metrics, over the runs that got to the end."""
    scores = {}
    for name in (name for name in SCORES if name in result.columns):
        last = result.columns[name].reshape(len(result.status), -1)[:, -1].astype(np.float64)
        there = last[np.isfinite(last)]
        if len(there):
            spread = float(there.std(ddof=1)) if len(there) > 1 else float("nan")
            scores[name] = {"mean": float(there.mean()), "std": spread, "runs": len(there)}
    return scores


def _summary(known: PreparedSetting, facts: JsonObject, promise: PrintedTotal | None) -> str:
    """Return the results as text that fits on one screen."""
    parameters, setting, network = facts["parameters"], known.setting, known.network
    summary = {
        "setting": known.name,
        "data": f"{_section(setting.overrides['data'])}: {known.train} training rows, split {setting.split.seed}",
        "network": f"{_section(parameters['network'])}: degrees {network.degrees.min():g} to {network.degrees.max():g}",
        "problem": _section(parameters["problem"]),
        "algorithm": f"{_section(parameters['algorithm'])}; {setting.iterations} iterations, {setting.runs} runs",
        "noise": _section(parameters["noise"]) if parameters["noise"] else "none",
    }
    exact = "; exact, and covered by no ε" if promise else ""
    for metric, score in facts["last"].items():
        spread = "" if score["std"] != score["std"] else f" ± {score['std']:.2g} over {score['runs']} runs"
        label, of_what = SCORES[metric]
        summary[label] = f"{score['mean']:.6g}{spread}, {of_what}{exact}"
    summary["privacy"] = str(promise) if promise else "none: without noise there is no guarantee"
    summary |= {
        f"run {status['run']}": f"{status['status']}, {status['reason']}"
        for status in facts["status"]
        if status["reason"]
    }
    summary["took"] = f"{facts['seconds']:.2f} s"
    return lines(summary)


def _section(section: Any) -> str:
    if not isinstance(section, dict):
        return str(section)
    tag = next((name for name in ("law", "name", "kind") if name in section), None)
    rest = [f"{name} = {value}" for name, value in section.items() if name != tag]
    return ", ".join([str(section[tag]), *rest] if tag else rest)


def _bar() -> Any:
    """Return a progress bar of the iterations, on a terminal."""

    def report(done: int, iterations: int) -> None:
        filled = BAR * done // iterations
        end = "\n" if done == iterations else ""
        print(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done} of {iterations}", end=end, file=sys.stderr, flush=True)

    return report
