"""Plug-ins whose code fails while a study is planned: one sentence with file, line, class, exception and remedy."""

import pytest
import yaml

import radmm
from radmm.__main__ import main
from radmm.base.errors import InputError
from radmm.jobs.study import Study
from radmm.privacy.query_log import record_queries
from tests.components import components_of_its_own

ALGORITHM = '''
from dataclasses import dataclass
from typing import Annotated, ClassVar
from annotated_types import Gt
import radmm

@dataclass(frozen=True)
class Lazy(radmm.Algorithm):
    """Each node asks for its own argmin.

    Args:
        weight: Of staying where it is.
    """

    weight: Annotated[float, Gt(0)] = 2.0
    name: ClassVar[str] = "lazy"

    def first(self, primal, network):
        return radmm.State(iteration=0, primal=primal)

    def step(self, state, network, oracle):
        primal = oracle.argmin(self.linear(state), 0.0 * network.degrees + self.weight, state.primal)
        return radmm.State(iteration=state.iteration + 1, primal=primal)

    def linear(self, state):
        return -self.weight * state.primal

    def sends(self, iteration, features):
        return radmm.Sent(1, features)
'''
SCHEDULE = '''
from dataclasses import dataclass
from typing import ClassVar
import radmm

@dataclass(frozen=True)
class Late(radmm.Schedule):
    """Fails at the fourth data-touching step."""

    name: ClassVar[str] = "late"

    def values(self, step, nodes):
        return 1.0 / (4 - step)
'''
NOISE = {"kind": "objective", "law": "gaussian", "sigma": 2.0}
BUDGET = {"kind": "objective", "law": "gaussian", "total_epsilon": 2.0, "delta": 1e-5}
PLANNED = "must not fail while a run is planned, with one feature, one run and an oracle that answers zeros"
TEST_IT = "test it with radmm check"
BROKEN = {
    "a step that raises": (
        "iteration=state.iteration + 1, primal=primal",
        "iteration=nothing, primal=primal",
        f"line 23: Lazy.step raised NameError (name 'nothing' is not defined): {PLANNED}; {TEST_IT}",
    ),
    "a helper that raises at a late iteration": (
        "-self.weight * state.primal",
        "-1 / (5 - state.iteration) * state.primal",
        "line 26: Lazy.step raised ZeroDivisionError (",
    ),
    "radmm's code that refuses a step's values": (
        "0.0 * network.degrees + self.weight",
        "[1.0, 2.0, 3.0]",
        "line 22: Lazy.step raised ValueError (",
    ),
    "an exception of several lines": ("return -self", "raise KeyError(1, 'a\\n b')\n        return -self", "KeyError"),
    "a first state that raises": (
        "primal=primal)\n\n    def step",
        "primal=nothing)\n\n    def step",
        "Lazy.first raised",
    ),
    "a step with too few arguments": (
        "step(self, state, network, oracle)",
        "step(self, state)",
        "line 21: Lazy.step raised TypeError (Lazy.step() takes 2 positional arguments but 4 were given): must not",
    ),
    "a shape that is wrong": (
        "iteration + 1, primal=primal",
        "iteration + 1, primal=primal[:, 0]",
        "line 21: Lazy.step returned a primal of shape (4, 1) at iteration 1: must be (4, 1, 1), (node, feature, run), "
        "here with one feature and one run",
    ),
    "a dual of a wrong shape": (
        "iteration + 1, primal=primal",
        "iteration + 1, primal=primal, dual=primal[1:]",
        "line 21: Lazy.step returned a dual of shape (3, 1, 1) at iteration 1: must be (4, 1, 1)",
    ),
    "an iteration that does not count up": (
        "state.iteration + 1, primal",
        "state.iteration, primal",
        "line 21: Lazy.step returned a state of iteration 0: must be of iteration 1",
    ),
    "no state": (
        "return radmm.State(iteration=state",
        "radmm.State(iteration=state",
        "line 21: Lazy.step returned a NoneType: must be a radmm.State",
    ),
    "a statement on messages that raises": (
        "radmm.Sent(1, features)",
        "radmm.Sent(1, features, 1)",
        "line 29: Lazy.sends raised TypeError (",
    ),
}


@pytest.fixture(autouse=True)
def apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with components_of_its_own():
        yield


def config(algorithm="lazy", noise=None):
    defaults = {
        "data": {"name": "synthetic", "rows": 400, "features": 3},
        "split": {"train": 300},
        "network": {"law": "ring", "nodes": 4},
        "problem": {"C": 10, "rho": 0.5},
        "iterations": 8,
        "runs": 2,
    }
    one = {"algorithm": {"name": algorithm}, "noise": noise}
    experiments = {"mine": {"figure": "convergence", "defaults": defaults, "settings": {"one": one}}}
    return {"plugins": ["own.py"], "shipped": False, "defaults": {}, "experiments": experiments}


def write(folder, text, old="", new=""):
    assert old in text
    (folder / "own.py").write_text(text.replace(old, new, 1) if old else text)


def refusal(raw):
    with pytest.raises(InputError) as refused:
        Study.of(raw)
    return str(refused.value)


@pytest.mark.parametrize("noise", [None, NOISE, BUDGET], ids=["no noise", "noise", "budget"])
def test_what_the_broken_ones_are_made_from_is_planned(tmp_path, noise):
    write(tmp_path, ALGORITHM)
    study = Study.of(config(noise=noise))
    assert [len(batch.settings) for batch in study.batches.values()] == [1]


@pytest.mark.parametrize("noise", [None, NOISE, BUDGET], ids=["no noise", "noise", "budget"])
@pytest.mark.parametrize("case", BROKEN)
def test_a_plan_refuses_a_broken_algorithm_in_one_sentence(tmp_path, case, noise):
    old, new, sentence = BROKEN[case]
    write(tmp_path, ALGORITHM, old, new)
    told = refusal(config(noise=noise))
    assert told.startswith("experiments.mine.settings.one: plugins: own.py, line ")
    assert sentence in told
    assert "\n" not in told


def test_a_schedule_that_fails_at_a_late_step_is_named(tmp_path):
    write(tmp_path, SCHEDULE)
    told = refusal(config("admm", NOISE | {"sigma": {"schedule": "late"}}))
    assert told.startswith(
        "experiments.mine.settings.one: plugins: own.py, line 13: Late.values raised ZeroDivisionError"
    )
    assert told.endswith(f"): must not fail; {TEST_IT} own.py")


@pytest.mark.parametrize(
    "command",
    [["check", "mine.yaml"], ["solve", "--config", "mine.yaml", "--setting", "mine/one"]],
    ids=lambda words: words[0],
)
def test_commands_print_the_sentence(tmp_path, capsys, command):
    write(tmp_path, ALGORITHM, *BROKEN["a step that raises"][:2])
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(config()))
    assert main(command) == 2
    told = capsys.readouterr().err
    assert "plugins: own.py, line 23: Lazy.step raised NameError" in told
    assert told.count("\n") == 1


def test_a_command_names_a_plug_in_that_fails_with_data(tmp_path, capsys):
    """A plan can't see it, as its oracle answers zeros."""
    write(tmp_path, ALGORITHM, "return -self", "assert not state.primal.any(), 'not zero'\n        return -self")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(config()))
    assert main(["solve", "--config", "mine.yaml", "--setting", "mine/one"]) == 2
    sentence = f"own.py, line 26: Lazy.step raised AssertionError (not zero): must not fail; {TEST_IT} own.py"
    assert capsys.readouterr().err.splitlines()[-1] == f"radmm: plugins: {sentence}"


def test_faults_of_code_that_is_no_plug_in_keep_their_traceback(small):
    class Inline(radmm.ADMM):
        def step(self, state, network, oracle):
            return 1 // 0

    with pytest.raises(ZeroDivisionError):
        record_queries(Inline(), small.network, 1)
