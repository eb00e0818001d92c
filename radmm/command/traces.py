"""Traces as commands read them, and the paired difference between two."""

import argparse
import json
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy.special import stdtrit

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.registry import one_of
from radmm.base.regular_files import require_regular
from radmm.base.store import read_metadata, recognised
from radmm.command.printed_totals import printed_total
from radmm.jobs.steps.solve import ledger_path
from radmm.privacy.guarantee import UNKNOWN_PREPARATION
from radmm.results.claims.evidence import SHARED
from radmm.results.settings_table import flatten
from radmm.results.tables import read_ledger


@dataclass(frozen=True)
class Trace:
    """Content of a trace file.

    Args:
        path: Path of the file.
        facts: Its metadata.
        table: Its rows.
    """

    path: Path
    facts: JsonObject
    table: pd.DataFrame

    @property
    def id(self) -> str:
        """Id of the trace's setting."""
        return str(self.facts["id"])

    @property
    def flat(self) -> dict[str, object]:
        """Parameters of the setting by their dotted names, without those that are null."""
        return {name: value for name, value in flatten(self.facts["setting"]).items() if value is not None}

    def has(self, metric: str) -> bool:
        """Return whether the metric was measured."""
        return metric in self.table and bool(self.table[metric].notna().any())

    def at(self, metric: str, iteration: int | None) -> tuple[int, Array]:
        """Return the iteration, the last if none is given, and the metric there, one value a run.

        Args:
            iteration: Iteration t.
        """
        if not self.has(metric):
            raise InputError(f"--metric {metric}: must be one that {self.path} has measured")
        last = int(self.table["iteration"].max())
        chosen = last if iteration is None else iteration
        if not 0 <= chosen <= last:
            raise InputError(f"--iteration {chosen}: must be from 0 to {last}, which {self.path} has")
        rows = self.table[self.table["iteration"] == chosen].sort_values("run")
        return chosen, rows[metric].to_numpy(dtype=np.float64)

    def no_pair(self, other: "Trace") -> str:
        """Return why runs of the two traces are not pairs, which share data, start and seed; "" if they are."""
        settings = self.facts["setting"], other.facts["setting"]
        apart = [name for name in SHARED if settings[0].get(name) != settings[1].get(name)]
        hashes = self.facts["hashes"], other.facts["hashes"]
        apart += [
            f"the bytes of {name}" for name in hashes[0] if hashes[0][name] != hashes[1].get(name) and name not in apart
        ]
        return f"runs are no pairs, as the settings differ in {', '.join(apart)}" if apart else ""


def read_trace(name: str, results: Path) -> Trace:
    """Read a trace by its file, or by its setting's id or name.

    Args:
        name: Path of the file, id of the setting, or its experiment and label, like fig5/ADMM.
        results: The folder that has `traces` and `settings.parquet`.
    """
    path = Path(name)
    if path.suffix != ".parquet":
        path = results / "traces" / f"{setting_id(name, results) if '/' in name else name}.parquet"
    require_regular("trace", path)
    try:
        facts = read_metadata(recognised(path))
        if "setting" not in facts or "hashes" not in facts:
            raise KeyError("setting")
        return Trace(path, facts, pd.read_parquet(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'can’t be read'}: must be a trace, or the id of one") from None
    except (KeyError, ValueError, pa.ArrowInvalid):
        raise InputError(f"{path} is no trace: must be a file of results/traces") from None


def setting_id(name: str, results: Path) -> str:
    """Return the id of the only setting that an experiment has under a label, from the table of all settings.

    Args:
        name: Experiment and label, with a slash between them.
        results: The folder that has `settings.parquet`.
    """
    path = results / "settings.parquet"
    if not path.is_file():
        raise InputError(f"{name}: must be a trace file or the id of a setting, as there is no {path} to find it in")
    every = pd.read_parquet(path)
    named = every[every["experiment"] + "/" + every["label"] == name]
    if named.empty:
        raise InputError(f"{name}: {one_of(name, sorted(set(every['experiment'] + '/' + every['label'])))}")
    if len(named) > 1:
        asked = {id_: flatten(json.loads(text)) for id_, text in zip(named["id"], named["asked"], strict=True)}
        fixed = set.intersection(*({*map(str, each.items())} for each in asked.values()))
        points = (
            f"{id_} has "
            + ", ".join(f"{axis} = {value}" for axis, value in each.items() if str((axis, value)) not in fixed)
            for id_, each in asked.items()
        )
        raise InputError(
            f"{name} is a grid of {len(named)} settings: must be one, named by its id: {'; '.join(points)}"
        )
    return str(named["id"].item())


def paired(left: Trace, right: Trace, metric: str, iteration: int | None, level: float) -> JsonObject:
    """Return the mean of left − right over pairs of runs, with Student's interval.

    Args:
        right: Another trace, whose runs are pairs with it.
        iteration: Iteration t; the last of each if not given.
        level: Confidence level of the interval.
    """
    (at, ours), (other_at, theirs) = (trace.at(metric, iteration) for trace in (left, right))
    common = min(len(ours), len(theirs))
    difference = ours[:common] - theirs[:common]
    complete = difference[np.isfinite(difference)]
    pairs = len(complete)
    if pairs < 2:
        raise InputError(f"--metric {metric}: {pairs} pairs of runs have it there, and an interval takes two")
    half = float(stdtrit(pairs - 1, (1 + level) / 2)) * float(complete.std(ddof=1)) / sqrt(pairs)
    mean = float(complete.mean())
    return {"mean": mean, "low": mean - half, "high": mean + half, "pairs": pairs, "iterations": [at, other_at]}


def total_of(given: argparse.Namespace, trace: Trace) -> JsonObject | None:
    """Return what a run of a trace has spent, from the ledger that was written with it.

    Args:
        given: Flags that say how the total is computed.
    """
    if trace.facts["setting"]["noise"] is None:
        return {"total_epsilon": None, "text": "nothing is promised: it has no noise"}
    path = ledger_path(trace.path)
    if not path.is_file():
        return None
    prepared = trace.facts.get("caveat", UNKNOWN_PREPARATION)  # those of earlier versions don't say
    promise = printed_total(given, read_ledger(recognised(path)), prepared)
    return {**promise.facts(), "text": str(promise)}
