"""Algorithms that break their contract, each with the sentence that says so."""

import pytest

START = """
import gc
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar
import numpy as np
import radmm
from pathlib import Path
from radmm.privacy.data_oracle import DataOracle
"""
ALGORITHM = (
    START
    + '''
@dataclass(frozen=True)
class Mine(radmm.Algorithm[radmm.State]):
    """Every node takes the argmin near its own last point and its neighbours'.

    Args:
        pull: The weight of the neighbours.
    """

    pull: float = 1.0
    name: ClassVar[str] = "mine"

    def __post_init__(self):
        if isinstance(self.pull, bool) or not isinstance(self.pull, (int, float)) or not 0 < self.pull < 1e6:
            raise radmm.InputError(f"pull = {self.pull!r}: must be a positive number")

    def first(self, primal, network):
        return radmm.State(iteration=0, primal=primal)

    def step(self, state, network, oracle):
        WEIGHT
        average = network.neighbour_sum(state.primal) / (2 * network.degrees[:, None, None])
        primal = oracle.argmin(-weight[:, None, None] * average, weight, state.primal)
        CHANGE
        return radmm.State(iteration=state.iteration + 1, primal=primal)
'''
)
WEIGHT = "weight = self.pull * network.degrees"


def made(change="", weight=WEIGHT):
    lines = {name: text.strip().replace("\n", "\n        ") for name, text in (("WEIGHT", weight), ("CHANGE", change))}
    return ALGORITHM.replace("WEIGHT", lines["WEIGHT"]).replace("CHANGE", lines["CHANGE"])


PEEKS = """
found = gc.get_referrers(radmm.Problem) if state.iteration == 0 else []
problems = [one for one in found if type(one) is radmm.Problem]
if problems:
    primal = primal + 1e-9 * problems[-1].rows.data[0]
"""
REMEMBERS = """
if not REMEMBERED and state.iteration == 0:
    REMEMBERED.extend(one.rows.data[0] for one in gc.get_referrers(radmm.Problem) if type(one) is radmm.Problem)
primal = primal + (1e-9 * REMEMBERED[0] if REMEMBERED else 0.0)
"""
BROKEN = {
    "peeks at the data of a problem that is about": (made(PEEKS), "reaches data past the oracle: the same answers"),
    "remembers what it saw in an earlier run": (
        made(REMEMBERS).replace("@dataclass", "REMEMBERED = []\n@dataclass"),
        "reaches data past the oracle: the same answers",
    ),
    "reaches into the oracle": (
        made("primal = primal + 0 * oracle._engine.problem.rows.data[0]"),
        "it asks the oracle for _engine: it must ask for argmin, gradient and moments only",
    ),
    "uses what the oracle has for the trace, if it is there": (
        made("primal = primal + 1e-9 * getattr(oracle, '_step', 0)"),
        "it asks the oracle for _step: it must ask for argmin, gradient and moments only",
    ),
    "uses it only where it knows that it is there": (
        made("primal = primal + 1e-9 * (oracle._step if type(oracle) is DataOracle else 0)"),
        "takes more from the oracle than argmin, gradient and moments",
    ),
    "reads a file": (
        made("primal = primal + float(Path('/etc/hostname').read_text() == '?')"),
        "reaches data past the oracle: it opens the file /etc/hostname",
    ),
    "has weights that depend on answers": (
        made(weight="weight = self.pull * network.degrees * (1 + (np.abs(state.primal).max() > 2))"),
        "its weights depend on what was answered: at iteration",
    ),
    "asks only if answers are large": (
        made(
            weight=WEIGHT + "\nif 0 < state.primal.max() < 1e-2: return replace(state, iteration=state.iteration + 1)"
        ),
        "on what was answered",
    ),
    "asks twice": (
        made("primal = oracle.argmin(-weight[:, None, None] * primal, weight, primal)"),
        "asks the oracle twice at iteration 1",
    ),
    "couples runs": (
        made("primal = primal - 1e-3 * primal.mean(axis=2, keepdims=True)"),
        "its runs are coupled: run 0",
    ),
    "draws without a seed": (
        made("primal = primal + 1e-9 * np.random.default_rng().random()"),
        "the same answers give other iterates the second time",
    ),
    "diverges": (made("primal = 1.2 * primal + state.primal"), "without noise it doesn't converge"),
    "writes into the state": (
        made("state.primal[:] = 0"),
        "must not write into the state it was given, but it changed primal",
    ),
    "sends more than it says": (
        made("primal = network.mix(network.mix(primal))"),
        "until iteration 1 a node sends 6 numbers to each neighbour: `sends` must state them, but states 3, 3 of these",
    ),
    "loses the run axis": (
        made("primal = primal.mean(axis=2)"),
        "primal has shape (4, 3) at iteration 1: must be (4, 3, 3)",
    ),
    "doesn't count": (made().replace("state.iteration + 1", "1"), "the state's iteration must be 2, not 1"),
    "asks with a wrong shape": (
        made().replace("average, weight,", "average, weight[:, None],"),
        "weight that the oracle is asked with has shape (4, 1)",
    ),
    "raises": (made("primal = primal + undefined"), "step raised NameError at plugin.py, line"),
    "gives NaN": (made("primal = primal * np.nan"), "primal is not finite at iteration 1"),
    "begins elsewhere": (
        made().replace("State(iteration=0, primal=primal)", "State(iteration=0, primal=0 * primal)"),
        "first must give the state whose primal variable is the one it was given",
    ),
    "refuses by a TypeError": (
        made().replace("isinstance(self.pull, bool) or not isinstance(self.pull, (int, float)) or ", ""),
        "pull = 'text' must be refused by an InputError, or be fit for steps, but it raised TypeError",
    ),
    "looks at no parameter before it steps": (
        made().replace("raise radmm.InputError(f", "str(f"),
        "pull = 'text' must be refused by an InputError, or be fit for steps",
    ),
    "doesn't say what a parameter is": (
        made().replace("        pull: The weight of the neighbours.\n", ""),
        "must say under Args: what pull is",
    ),
    "is no dataclass": (
        made().replace("@dataclass(frozen=True)", "").replace("self.pull = 1.0", ""),
        "pull is annotated but no field",
    ),
    "has a field that no config holds": (made().replace("pull: float", "pull: np.ndarray"), "no config can hold"),
    "has no step": (made().replace("def step", "def stepp"), "it must define step"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_algorithm_is_told_so(verdict_on, case):
    text, sentence = BROKEN[case]
    verdict = verdict_on(text)
    assert verdict.kind == "algorithm"
    assert sentence in (verdict.broken or ""), verdict
    assert verdict.broken, case
    assert "\n" not in verdict.broken


def test_the_same_without_a_fault_is_ok(verdict_on):
    assert str(verdict_on(made())) == "algorithm mine: ok"


def test_one_that_is_not_meant_to_converge_says_why(verdict_on):
    text = made("primal = 0 * primal + 9").replace(
        'name: ClassVar[str] = "mine"', 'name: ClassVar[str] = "mine"\n    does_not_converge = "it stands still"'
    )
    assert str(verdict_on(text)) == "algorithm mine: ok (does not converge: it stands still)"
