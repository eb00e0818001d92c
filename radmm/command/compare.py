"""`radmm compare`: compare two settings by their traces: how they differ, and by how much their runs differ."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.command.parser import NO, OK, Commands, add_command, tell
from radmm.command.printed_totals import add_guarantee_flags
from radmm.command.traces import Trace, paired, read_trace, total_of
from radmm.jobs.up_to_date import why_outdated_here
from radmm.results.epsilon_conditions import shared_draws

EXAMPLES = """\
  radmm compare results/traces/r-admm-da332e0c16.parquet results/traces/admm-3f0c1a2b4d.parquet
  radmm compare r-admm-da332e0c16 admm-3f0c1a2b4d              the same by id, from results/
  radmm compare "fig5/ADMM, not private" r-admm-da332e0c16     by experiment and label, if that is one setting
  radmm compare A B --metric loss --iteration 20 --level 0.99
"""
CODES = "0 if the runs can be paired, 1 if not (only parameters are compared), 2 if a trace can't be used"
COMPARED_METRICS = ("loss", "error_rate")


def add(commands: Commands) -> None:
    """Add `radmm compare` and its flags to the command line."""
    about = "Compare two settings; print the parameters that differ, and the paired difference of their runs."
    parser = add_command(commands, "compare", run, about, EXAMPLES, CODES)
    parser.add_argument("left", metavar="A", help="trace file, id of a setting, or EXPERIMENT/LABEL")
    parser.add_argument("right", metavar="B", help="setting to compare with, in the same form")
    parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="column of the traces; may be repeated (default: loss and error_rate)",
    )
    parser.add_argument(
        "--iteration", type=int, metavar="T", help="iteration to compare at (default: the last of each)"
    )
    parser.add_argument("--level", type=float, default=0.95, metavar="P", help="level of the interval (default: 0.95)")
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("results"),
        metavar="FOLDER",
        help="folder with the results (default: results)",
    )
    add_guarantee_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Read both traces, and print how they differ."""
    if not 0.0 < given.level < 1.0:
        raise InputError(f"--level {given.level:g}: must be above 0 and below 1")
    left, right = (read_trace(name, given.results) for name in (given.left, given.right))
    differ = {
        name: [one, other]
        for name, (one, other) in _side_by_side(left.flat, right.flat).items()
        if one != other and not name.startswith("hashes.")
    }
    apart, settings = left.no_pair(right), [trace.facts["setting"] for trace in (left, right)]
    facts: JsonObject = {
        "settings": [left.id, right.id],
        "differ": differ,
        "outdated": [why_outdated_here(trace.path, trace.facts) for trace in (left, right)],
        "privacy": [total_of(given, trace) for trace in (left, right)],
        "shared_draws": shared_draws(setting["seed"] for setting in settings if setting["noise"] is not None),
        "no_pairs": apart,
        "level": given.level,
        "differences": {},
    }
    if not apart:
        names = given.metric or [name for name in COMPARED_METRICS if left.has(name) and right.has(name)]
        facts["differences"] = {name: paired(left, right, name, given.iteration, given.level) for name in names}
    tell(given, facts, _text(left, right, facts))
    return NO if apart else OK


def _side_by_side(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (left.get(name), right.get(name)) for name in [*left, *(name for name in right if name not in left)]}


def _text(left: Trace, right: Trace, facts: JsonObject) -> str:
    lines = [
        f"A  {left.id}",
        f"B  {right.id}",
        "",
        "parameters that differ, A and B:" if facts["differ"] else "no parameter differs",
    ]
    width = max(map(len, facts["differ"]), default=0)
    lines += [f"  {name:{width}}  {one}  |  {other}" for name, (one, other) in facts["differ"].items()]
    lines += [f"{letter} {reason}" for letter, reason in zip("AB", facts["outdated"], strict=True) if reason]
    for letter, total in zip("AB", facts["privacy"], strict=True):
        lines.append(
            f"{letter} spends {total['text']}" if total else f"{letter} has no ledger beside it, so no ε is told"
        )
    lines += facts["shared_draws"]
    if facts["no_pairs"]:
        return "\n".join([*lines, "", f"no differences: {facts['no_pairs']}"])
    lines += ["", f"A − B, mean over pairs of runs, with Student's {100 * facts['level']:g} % interval:"]
    for name, found in facts["differences"].items():
        at = found["iterations"][0] if found["iterations"][0] == found["iterations"][1] else found["iterations"]
        lines.append(
            f"  {name}  {found['mean']:+.6g}  [{found['low']:+.6g}, {found['high']:+.6g}]  "
            f"({found['pairs']} pairs, iteration {at})"
        )
    return "\n".join(lines)
