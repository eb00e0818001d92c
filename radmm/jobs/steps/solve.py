"""Solve settings, all runs of each together, and write their traces.

Every trace holds the digest of this module's code, and a change of it makes the trace outdated. The choice of which
settings run when is therefore elsewhere, in radmm.jobs.steps.batch.
"""

import platform
import time
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from radmm.argmin.optimum import centralised_optimum
from radmm.base.arrays import Array
from radmm.base.store import content_hash, write_parquet
from radmm.data.prepared_files import DataSet, make_problem, read_edges, read_split
from radmm.data.split import Split
from radmm.driver import Progress
from radmm.driver import solve as solve_problem
from radmm.jobs.digest import code_digest
from radmm.jobs.steps.step_runner import say
from radmm.metrics.metric import METRICS
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.guarantee import ASSUMED, NOT_FOR_RELEASE
from radmm.result import Result, TestSet
from radmm.study.component_json import content_key
from radmm.study.settings import Setting

REPORT_SECONDS = 10.0
TRACES = "traces"  # the name of the folder of a study's traces


class LastProblem:
    """Cache of the last problem: settings that differ in the algorithm alone share it and its optimum."""

    def __init__(self) -> None:
        self._rows: Hashable = None  # what the problem is made of, all but its ρ
        self._problem: Problem | None = None
        self._optimum: Array | None = None

    def problem(self, inputs: "Inputs", setting: Setting) -> tuple[Problem, Array]:
        """Return a setting's problem and its centralised optimum."""
        rho, without_rho = setting.problem.rho, replace(setting.problem, rho=1.0)
        rows = content_key(without_rho), content_key(setting.partition)
        if self._problem is None or rows != self._rows:
            # First, so that the rows of two problems need not be in memory at once.
            self._problem = self._optimum = self._rows = None
            self._problem, self._rows = _make_problem(inputs, setting), rows
        if self._optimum is None or self._problem.rho != rho:
            self._problem = self._problem.with_rho(rho)
            begin = time.process_time()
            self._optimum = centralised_optimum(self._problem)
            say(f"centralised optimum found in {time.process_time() - begin:.3f} CPU seconds")
        return self._problem, self._optimum


@dataclass(frozen=True, eq=False)
class Inputs:
    """Inputs that the settings of one split and one network share, and the last problem that was made of them."""

    data: DataSet
    split: Split
    network: Network
    hashes: dict[str, str]
    last: LastProblem = field(default_factory=LastProblem)

    @cached_property
    def test(self) -> TestSet:
        """Test rows with their labels."""
        return self.data.features[self.split.test], self.data.labels[self.split.test]

    def problem(self, setting: Setting) -> tuple[Problem, Array]:
        """Return a setting's problem and its centralised optimum, which the next setting may share."""
        return self.last.problem(self, setting)


def read_inputs(data: DataSet, split: Path, network: Path) -> Inputs:
    """Read the split and the network of a setting, and return them with the data and the hashes of all three."""
    parts, edges = read_split(split), read_edges(network)
    hashes = {"data": data.hash, "split": content_hash(parts.train, parts.test), "network": content_hash(edges)}
    return Inputs(data, parts, Network.from_edges(edges), hashes)


def write_trace(setting: Setting, inputs: Inputs, output: Path, threads: int = 1) -> None:
    """Write a setting's trace and, if it has noise, before it the ledger of its releases."""
    result, seconds = solve_setting(setting, inputs, _reporter(), threads)
    store_trace(result, setting, inputs.hashes, inputs.data.caveat, output)
    for status in result.status:
        if status.reason:
            say(f"run {status.run} {status.status}: {status.reason}")
    say(f"solved in {seconds:.3f} CPU seconds")


def store_trace(result: Result, setting: Setting, hashes: dict[str, str], caveat: str, output: Path) -> None:
    """Write a setting's result as a trace, with the provenance of all its inputs.

    Args:
        setting: Setting with calibrated noise.
        hashes: Content hashes of the inputs.
        caveat: What was taken from the data although no noise protects it.
    """
    origin = {
        "id": setting.id,
        "setting": setting.to_json(),
        "asked": setting.overrides,
        "hashes": hashes,
        "caveat": caveat,
        "versions": _versions(),
        "code": solver_digest(setting),
        "assumed": f"{ASSUMED} {caveat}".strip() if setting.noise is not None else "",
        "not_for_release": NOT_FOR_RELEASE,
    }
    if result.ledger is not None:
        write_parquet(ledger_path(output), result.ledger.columns(), origin)
    write_parquet(output, result.columns, origin | {"status": [vars(status) for status in result.status]})


@cache
def _versions() -> dict[str, str]:
    """Return the versions of libraries, looked up once, as that takes milliseconds."""
    return {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "scipy")}}


def ledger_path(trace: Path) -> Path:
    """Return the path of a trace's ledger: in `ledgers` beside the workflow's `traces`, else beside the trace."""
    folder = trace.absolute().parent
    return folder.with_name("ledgers") / trace.name if folder.name == TRACES else trace.with_suffix(".ledger.parquet")


def solver_digest(setting: Setting) -> str:
    """Return the digest of the code that makes a setting's trace: its components, no others, and all metrics."""
    components: list[Any] = [*setting.components, *METRICS.values()]
    return code_digest("radmm.jobs.steps.solve", *components)


def solve_setting(
    setting: Setting, inputs: Inputs, progress: Progress | None = None, threads: int = 1
) -> tuple[Result, float]:
    """Solve a setting, and return its result with the CPU seconds of its iterations, those of all threads."""
    problem, optimum = inputs.problem(setting)
    begin = time.process_time()
    known = {"test": inputs.test, "optimum": optimum}
    result = run_setting(setting, problem, inputs.network, **known, threads=threads, progress=progress)
    return result, time.process_time() - begin


def run_setting(setting: Setting, problem: Problem, network: Network, **options: Any) -> Result:
    """Run a setting's algorithm on its problem.

    Args:
        options: Arguments of `radmm.solve` that are no part of a setting, like `test`, `optimum` or `threads`.
    """
    return solve_problem(
        problem,
        network,
        setting.algorithm,
        noise=setting.known_noise,
        iterations=setting.iterations,
        runs=setting.runs,
        seed=setting.seed,
        initial_scale=setting.initial_scale,
        tolerance=setting.tolerance,
        **options,
    )


def _make_problem(inputs: Inputs, setting: Setting) -> Problem:
    return make_problem(
        inputs.data,
        inputs.split,
        setting.partition,
        nodes=inputs.network.nodes,
        loss=setting.problem.loss,
        C=setting.problem.C,
        rho=setting.problem.rho,
        weighting=setting.problem.weighting,
    )


def _reporter() -> Progress:
    """Return a function that logs how far a setting is, unless it takes hardly any time."""
    last = time.monotonic()

    def report(done: int, iterations: int) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORT_SECONDS:
            last = time.monotonic()
            say(f"iteration {done} of {iterations}")

    return report
