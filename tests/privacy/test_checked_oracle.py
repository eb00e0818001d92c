"""A private run answers the questions its ledger was made of, and refuses the first other one before it is answered."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import radmm
from radmm.privacy.data_oracle import DataOracle

NOISE = radmm.ObjectiveNoise(sigma=2.0)


@dataclass(frozen=True)
class Base(radmm.Algorithm):
    """ADMM without a dual variable; how it asks is left to the classes derived from it."""

    def first(self, primal, network):
        return radmm.State(iteration=0, primal=primal)

    def step(self, state, network, oracle):
        return replace(state, iteration=state.iteration + 1, primal=self.ask(state, network, oracle))

    def argmin(self, point, network, oracle, weight):
        return oracle.argmin(-weight[:, None, None] * point, weight, point)

    def ask(self, state, network, oracle):
        return self.argmin(state.primal, network, oracle, 2.0 * network.degrees)


def named(kind):
    """An algorithm with a name, but not among those that radmm knows."""
    algorithm = kind()
    object.__setattr__(algorithm, "name", kind.__name__)
    return algorithm


def spread(primal):
    return np.abs(primal - primal.mean(axis=0)).max()


@dataclass(frozen=True)
class Balanced(Base):
    """Residual balancing: the penalty doubles while the nodes disagree."""

    def ask(self, state, network, oracle):
        return self.argmin(state.primal, network, oracle, (4.0 if spread(state.primal) > 0 else 2.0) * network.degrees)


@dataclass(frozen=True)
class Insistent(Base):
    """Asks again where the nodes disagree."""

    def ask(self, state, network, oracle):
        primal = super().ask(state, network, oracle)
        return super().ask(replace(state, primal=primal), network, oracle) if spread(primal) > 0 else primal


@dataclass(frozen=True)
class Fickle(Base):
    """Asks for gradients once the nodes disagree."""

    def ask(self, state, network, oracle):
        if state.iteration and spread(state.primal) > 0:
            return state.primal - 0.01 * oracle.gradient(state.primal)
        return super().ask(state, network, oracle)


@dataclass(frozen=True)
class Silent(Base):
    """Stops asking after two answers that aren't zero."""

    def ask(self, state, network, oracle):
        if state.iteration >= 2 and spread(state.primal) > 0:
            return state.primal
        return super().ask(state, network, oracle)


@dataclass(frozen=True)
class Late(Base):
    """Leaves out its second question where the nodes disagree, and asks at the third iteration again."""

    def ask(self, state, network, oracle):
        if state.iteration == 1 and spread(state.primal) > 0:
            return state.primal
        return super().ask(state, network, oracle)


@dataclass(frozen=True)
class Slow(Base):
    """Counts every other iteration, so that a run has twice as many steps."""

    def step(self, state, network, oracle):
        following = super().step(state, network, oracle)
        return replace(following, iteration=max(1, state.iteration)) if spread(state.primal) > 0 else following


@dataclass(frozen=True)
class Doubled(Base):
    """Asks with twice as many runs, which the noise of one run would perturb alike."""

    def ask(self, state, network, oracle):
        twice = np.concatenate([state.primal, 2.0 * state.primal], axis=2)
        return self.argmin(twice, network, oracle, 2.0 * network.degrees)[..., :1]


REFUSED = {  # what was asked, and how many questions were answered before
    Balanced: ("asks for argmins with the weights 4, 12, 8, 8 at iteration 1, where its ledger has argmins with", 0),
    Insistent: ("asks for argmins at iteration 1, where its ledger has argmins at iteration 2", 1),
    Fickle: ("asks for gradients at iteration 2, where its ledger has argmins at iteration 2", 1),
    Late: ("asks for argmins at iteration 3, where its ledger has argmins at iteration 2", 1),
    Silent: ("asks for nothing more, where its ledger has argmins at iteration 3", 2),
    Slow: ("asks for argmins at iteration 2, where its ledger has argmins at iteration 3", 2),
}


@pytest.fixture
def answered(monkeypatch):
    """How many questions the data answered."""
    count = []
    for method in ("argmin", "gradient"):
        original = getattr(DataOracle, method)

        def counting(self, *arguments, original=original):
            count.append(self)
            return original(self, *arguments)

        monkeypatch.setattr(DataOracle, method, counting)
    return count


def run(small, algorithm, noise, runs=2):
    return radmm.solve(small.problem, small.network, algorithm, noise=noise, iterations=4, runs=runs)


@pytest.mark.parametrize("kind", REFUSED, ids=lambda kind: kind.__name__)
def test_questions_that_depend_on_answers_are_refused_before_they_are_answered(small, answered, kind):
    asked, answers = REFUSED[kind]
    with pytest.raises(radmm.InputError) as refusal:
        run(small, named(kind), NOISE)
    assert str(refusal.value).startswith(f"algorithm = {kind.__name__}: must ask for the same whatever is answered")
    assert asked in str(refusal.value)
    assert len(answered) == answers


@pytest.mark.parametrize("kind", [Balanced, Insistent, Fickle, Late, Silent], ids=lambda kind: kind.__name__)
def test_without_noise_they_run_and_have_no_guarantee(small, kind):
    result = run(small, named(kind), None)
    assert result.ledger is None
    assert result.trace["privacy_loss"].isna().all()
    with pytest.raises(radmm.InputError):
        result.epsilon(delta=1e-5)


def test_more_runs_than_there_are_would_share_their_noise(small, answered):
    with pytest.raises(radmm.InputError, match=r"linear has shape \(4, 4, 2\): must be \(4, 4, 1\)"):
        run(small, named(Doubled), NOISE, runs=1)
    assert not answered


@pytest.mark.parametrize("noise", [NOISE, None])
def test_what_is_known_for_the_trace_alone_is_out_of_an_algorithm_s_reach(small, noise):
    offered = set()

    class Looking(Base):
        def ask(self, state, network, oracle):
            offered.update(name for name in dir(oracle) if not name.startswith("_"))
            return super().ask(state, network, oracle)

    radmm.solve(small.problem, small.network, named(Looking), noise=noise, iterations=1, runs=1)
    assert offered <= {"argmin", "gradient", "moments", "check_all_asked", "iteration", "queries"}


@pytest.mark.parametrize("noise", [NOISE, radmm.OutputNoise(3.0), None])
def test_an_algorithm_that_keeps_to_its_notes_runs(small, answered, noise):
    algorithm = radmm.MRADMM(radmm.Geometric([1.0, 1.3, 0.8, 1.1], 1.05), gamma=0.3)
    assert {status.status for status in run(small, algorithm, noise).status} == {"done"}
    assert len(answered) == 2


@dataclass(frozen=True)
class Masked(Base):
    """Asks with masked arrays, whose masked entries NumPy adds nothing to."""

    def argmin(self, point, network, oracle, weight):
        hidden = np.ma.array(-weight[:, None, None] * point, mask=True)
        return np.asarray(oracle.argmin(hidden, weight, point))


@dataclass(frozen=True)
class Coarse(Base):
    """Asks with weights in half precision, in which λ0 = ρ/N + w_i would be rounded."""

    def argmin(self, point, network, oracle, weight):
        return super().argmin(point, network, oracle, weight.astype(np.float16))


@pytest.mark.parametrize("kind", [Masked, Coarse], ids=lambda kind: kind.__name__)
def test_arrays_of_another_kind_are_answered_as_plain_ones(small, kind):
    """With the noise of the plain algorithm, and the curvature that its ledger has."""
    asked, plain = (
        radmm.solve(
            small.problem, small.network, named(each), noise=NOISE, iterations=1, runs=1, keep_iterates=True
        ).primal
        for each in (kind, Base)
    )
    np.testing.assert_array_equal(asked, plain)


@dataclass(frozen=True)
class ComplexPoint(Base):
    """Asks for gradients at complex points, whose imaginary parts would come back without noise."""

    def ask(self, state, network, oracle):
        return state.primal - 0.01 * np.real(oracle.gradient(state.primal + 1e-20j * state.iteration))


def test_complex_numbers_are_refused(small, answered):
    with pytest.raises(radmm.InputError, match="a query of complex numbers: must be real"):
        run(small, named(ComplexPoint), radmm.GradientNoise(sigma=1.0))
    assert not answered


@dataclass(frozen=True)
class Twice(Base):
    """Asks twice in an iteration, whatever is answered."""

    def ask(self, state, network, oracle):
        return super().ask(replace(state, primal=super().ask(state, network, oracle)), network, oracle)


def test_a_ledger_has_one_release_for_each_iteration_and_node(small, answered):
    with pytest.raises(radmm.InputError, match="algorithm = Twice: must ask at most once in an iteration"):
        run(small, named(Twice), NOISE)
    assert not answered
    assert run(small, named(Twice), None).ledger is None
