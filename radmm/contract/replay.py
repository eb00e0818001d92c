"""Replay of recorded answers in a fresh interpreter that has no data, where steps may open no file."""

import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import environ, pathsep
from pathlib import Path
from typing import Any

from radmm.algorithms.algorithm import Algorithm
from radmm.base.arrays import Array
from radmm.base.plugin_faults import PREFIX
from radmm.base.plugins import load_plugin
from radmm.contract.contract_error import Broken, calling
from radmm.contract.example_problem import example_network
from radmm.contract.oracles import RecordedAnswer, ReplayingOracle

CODE = (".py", ".pyc", ".so", ".pyd")  # an import inside a step is no way to the data
WAYS_OUT = {"socket.connect": "a socket", "subprocess.Popen": "another process", "os.system": "another process"}


def replay(algorithm: Algorithm[Any], start: Array, answers: list[RecordedAnswer], iterations: int) -> list[Array]:
    """Return the primal variables of a run from `start` to which the oracle gives these answers."""
    oracle, network = ReplayingOracle(answers), example_network()
    with calling("first, without data,"):
        states = [algorithm.first(start, network)]
    for _ in range(iterations):
        with calling("step, with recorded answers and without data,"):
            states.append(algorithm.advance(states[-1], network, oracle))
    return [state.primal for state in states]


def replay_elsewhere(
    algorithm: Algorithm[Any], start: Array, answers: list[RecordedAnswer], iterations: int
) -> list[Array]:
    """Replay in an interpreter of its own, or in this one if the algorithm's class can't be imported elsewhere."""
    module = sys.modules[type(algorithm).__module__]
    plugin = module.__file__ if module.__name__.startswith(PREFIX) else None
    if module.__name__ == "__main__" or "<locals>" in type(algorithm).__qualname__:
        return replay(algorithm, start, answers, iterations)
    with tempfile.TemporaryDirectory() as folder:
        task, outcome = Path(folder, "task"), Path(folder, "outcome")
        task.write_bytes(pickle.dumps((plugin, pickle.dumps((algorithm, start, answers, iterations)))))
        path = pathsep.join([str(Path(__file__).parents[2]), environ.get("PYTHONPATH", "")]).rstrip(pathsep)
        command = [sys.executable, "-m", __name__, str(task), str(outcome)]
        ended = subprocess.run(command, env=environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)
        if not outcome.exists():
            raise Broken(f"replayed without data, it ends the interpreter: {ended.stderr.strip().splitlines()[-1:]}")
        found = pickle.loads(outcome.read_bytes())  # noqa: S301 (written by ourselves)
    if isinstance(found, str):
        raise Broken(found)
    return list(found)


@contextmanager
def _watched() -> Iterator[list[str]]:
    """Refuse and list every way out of the interpreter; a hook can't be removed again, so it is told to rest."""
    reached: list[str] = []
    active = [True]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not active[0]:
            return
        opened = str(arguments[0]) if event == "open" else None
        if event in WAYS_OUT or (opened is not None and not opened.endswith(CODE)):
            reached.append(f"the file {opened}" if opened is not None else WAYS_OUT[event])
            raise PermissionError(f"{reached[-1]}: an algorithm has only the oracle")

    sys.addaudithook(hook)
    try:
        yield reached
    finally:
        active[0] = False


def _main(task: Path, outcome: Path) -> None:
    """Replay the task of one file, and write iterates or a sentence to another."""
    plugin, rest = pickle.loads(task.read_bytes())  # noqa: S301 (written by ourselves)
    if plugin:
        load_plugin(plugin)
    found: list[Array] | str
    arguments = pickle.loads(rest)  # noqa: S301 (written by ourselves)
    with _watched() as reached:
        try:
            found = replay(*arguments)
        except Broken as broken:
            found = f"it reaches data past the oracle: {broken}"
    if reached:
        found = f"it reaches data past the oracle: it opens {reached[0]}"
    outcome.write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), Path(sys.argv[2]))
