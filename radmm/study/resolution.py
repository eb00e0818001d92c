"""From the config as written to settings that can run: grids expanded, noise calibrated, every assumption checked."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from typing import Any

from radmm.algorithms.families import Algorithm
from radmm.base.errors import Complaints, InputError, about
from radmm.data.graphs import make_edges
from radmm.data.split import rows_per_node
from radmm.model.facts import PublicFacts
from radmm.model.losses import get_loss
from radmm.model.network import Network
from radmm.model.problem import check_constants
from radmm.model.schedules import as_schedule
from radmm.privacy.guarantee import calibrate, check_guarantee, check_pair, total_bound
from radmm.privacy.noise import GAUSSIAN, NOISES
from radmm.study.config import Experiment, NoiseSection, SameAs, Setting
from radmm.study.expansion import Path, contains, expand, merge
from radmm.study.settings import build_algorithm, build_noise, setting_id
from radmm.study.validation import parse_config, parse_setting

ROWS = {"adult": 45_222}  # of each data set, known before it is downloaded
FEATURES = {"adult": 105}
BUDGET = {"total_epsilon", "delta", "accountant", "each_node"}
_SAME_AS = "noise.total_bound.same_as"


@dataclass(frozen=True)
class ResolvedSetting:
    """A setting that can run. Its point holds the values it takes on the axes of its grid."""

    experiment: str
    label: str
    point: dict[str, Any]
    parameters: dict[str, Any]
    calibrated_to: float | None = None  # the total bound that its noise was calibrated to
    budget: dict[str, Any] | None = None  # or the total (ε, δ), and how it is accounted for

    @cached_property
    def id(self) -> str:
        return setting_id(self.parameters)


@dataclass(frozen=True)
class Candidate:
    """A setting of one experiment, typed but not yet calibrated or checked."""

    place: Path
    point: dict[str, Any]
    setting: Setting

    @property
    def label(self) -> str:
        return self.place[-1]

    @property
    def reference(self) -> SameAs | None:
        bound = self.setting.noise.total_bound if self.setting.noise else None
        return bound if isinstance(bound, SameAs) else None


class Referable:
    """Candidates that others may refer to, found by label and values without looking at each: grids may be large."""

    def __init__(self, candidates: list[Candidate]) -> None:
        self._by_label: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            self._by_label[candidate.label].append(candidate)
        self._by_values: dict[tuple[str, ...], dict[Any, list[Candidate]]] = {}

    def find(self, label: str, point: Mapping[str, Any]) -> list[Candidate]:
        """Those of the label that agree with the point on the axes that both have; all must have noise of their own."""
        axes = [axis for axis in self._by_label[label][0].point if axis in point]
        if (label, *axes) not in self._by_values:
            found = defaultdict(list)
            for other in self._by_label[label]:
                if other.setting.noise is None or other.reference is not None or not _has_bound(other.setting.noise):
                    raise InputError(f"{_SAME_AS} = {label!r}: must have an alpha or a bound of its own")
                found[_frozen([other.point[axis] for axis in axes])].append(other)
            self._by_values[label, *axes] = found
        return self._by_values[label, *axes].get(_frozen([point[axis] for axis in axes]), [])


def _frozen(value: Any) -> Any:
    """Equal where the values are, and hashable."""
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(item)) for key, item in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def resolve(raw: Mapping[str, Any]) -> dict[str, list[ResolvedSetting]]:
    """Every experiment's settings, or an InputError with one sentence for each thing that is wrong."""
    config = parse_config(raw)
    problems = Complaints()
    experiments = {
        name: _resolve_experiment(config.defaults, name, experiment, problems)
        for name, experiment in config.experiments.items()
        if experiment is not None
    }
    if problems:
        raise InputError(str(problems))
    return experiments


def _resolve_experiment(
    defaults: Mapping[str, Any], name: str, experiment: Experiment, problems: Complaints
) -> list[ResolvedSetting]:
    candidates = []
    layers = {("defaults",): defaults, ("experiments", name, "defaults"): experiment.defaults}
    for label, own in experiment.settings.items():
        try:
            candidates += list(_candidates({**layers, ("experiments", name, "settings", label): own}))
        except InputError as error:
            for sentence in str(error).splitlines():
                problems.add(sentence)
    refused = set(experiment.settings) - {candidate.label for candidate in candidates}
    resolved: dict[int, list[ResolvedSetting]] = {}
    referable = Referable(candidates)
    # Those that others refer to come first: what is wrong with them is then said of them, and not of the others.
    for index, candidate in sorted(enumerate(candidates), key=lambda item: item[1].reference is not None):
        if candidate.reference is not None and candidate.reference.label in refused:
            continue
        try:
            targets = _targets(candidate, referable, list(experiment.settings))
            resolved[index] = [_finish(name, replace(candidate, point=point), bound) for bound, point in targets]
        except InputError as error:
            problems.add(str(error), ".".join(candidate.place))
            refused.add(candidate.label)
    return [setting for index in sorted(resolved) for setting in resolved[index]]


def _candidates(layers: dict[Path, Mapping[str, Any]]) -> Iterator[Candidate]:
    """The settings that come of what is written in several places, each over those before; the last is their own."""
    *_, place = layers

    def place_of(path: Path) -> Path:
        """Where a field was written; one that is missing belongs to where its section was."""
        for part in (path, path[:-1]):
            for where, written in reversed(layers.items()):
                if contains(written, part):
                    return (*where, *path)
        return (*place, *path)

    with about(".".join(place)):
        grid = list(expand(reduce(merge, layers.values())))
    for written, point in grid:
        yield Candidate(place, point, parse_setting(written, place_of))


def _targets(
    candidate: Candidate, referable: Referable, labels: list[str]
) -> Iterator[tuple[float | None, dict[str, Any]]]:
    """The total bounds to calibrate to (None where α is given): one for each setting that is referred to."""
    noise, reference = candidate.setting.noise, candidate.reference
    if reference is None:
        yield (noise.total_bound if noise and not isinstance(noise.total_bound, SameAs) else None), candidate.point
        return
    if reference.label not in labels:
        raise InputError(f"{_SAME_AS} = {reference.label!r}: must be one of {labels}")
    others = referable.find(reference.label, candidate.point)
    if not others:
        raise InputError(f"{_SAME_AS} = {reference.label!r}: must have a setting at {candidate.point}")
    for other in others:
        yield _bound_of(other.setting), {**other.point, **candidate.point}


def _has_bound(noise: NoiseSection) -> bool:
    return noise.alpha is not None or noise.total_bound is not None


def _bound_of(setting: Setting) -> float:
    """The total bound of a setting that doesn't refer to another."""
    noise = setting.noise
    if noise is not None and isinstance(noise.total_bound, float):
        return noise.total_bound
    parameters = _plain(setting)
    built = build_noise(parameters)
    assert built is not None  # the caller has checked that there is noise
    return float(total_bound(_facts(setting), build_algorithm(parameters), built, setting.iterations)[-1])


def _finish(experiment: str, candidate: Candidate, bound: float | None) -> ResolvedSetting:
    """Calibrate the noise if a bound is asked for, and check all that the algorithm and the guarantee assume."""
    setting = candidate.setting
    parameters = _plain(setting)
    facts, algorithm = _facts(setting), build_algorithm(parameters)
    algorithm.check(facts.nodes)
    budget = None
    if setting.noise is not None:
        kind = NOISES[setting.noise.kind]
        check_pair(algorithm, kind(1.0))
        if bound is not None:
            parameters["noise"]["alpha"] = calibrate(facts, algorithm, kind, setting.iterations, bound)
        if setting.noise.total_epsilon is not None:
            budget = setting.noise.model_dump(include=BUDGET) | {"accountant": setting.noise.accountant or "renyi"}
            parameters["noise"] |= _meet_budget(setting, setting.noise, facts, algorithm, budget)
        noise = build_noise(parameters)
        assert noise is not None
        check_guarantee(facts, algorithm, noise)
    return ResolvedSetting(experiment, candidate.label, candidate.point, parameters, bound, budget)


def _meet_budget(
    setting: Setting, noise: NoiseSection, facts: PublicFacts, algorithm: Algorithm, budget: Mapping[str, Any]
) -> dict[str, float | list[float]]:
    """The noise's scale with which the setting spends no more than the total (ε, δ) asked for."""
    from radmm.privacy.calibration import Budget, Mechanism, calibrate_noise  # not every config needs it

    repair = None if noise.repair is None else as_schedule(noise.repair)
    scale = calibrate_noise(
        facts,
        algorithm,
        Mechanism(NOISES[noise.kind], noise.law, repair),
        setting.iterations,
        FEATURES[setting.data],
        Budget(budget["total_epsilon"], budget["delta"] or 0.0, budget["accountant"]),
        noise.each_node,
    )
    return {"sigma" if noise.law == GAUSSIAN else "alpha": scale}


def _plain(setting: Setting) -> dict[str, Any]:
    """The values that determine a trace; a bound or budget that was asked for does so only through α or σ."""
    parameters = setting.model_dump(mode="json", exclude={"noise": {"law", "total_bound", *BUDGET}})
    for name in ("sigma", "repair") if parameters["noise"] else ():
        if parameters["noise"][name] is None:
            del parameters["noise"][name]
    if setting.noise is not None and setting.noise.law == GAUSSIAN:
        del parameters["noise"]["alpha"]
    return parameters


def _facts(setting: Setting) -> PublicFacts:
    split, problem = setting.split, setting.problem
    if split.train + (split.test or 1) > ROWS[setting.data]:
        raise InputError(
            f"split.train = {split.train} and split.test = {split.test}: "
            f"{setting.data} has {ROWS[setting.data]} rows, so together they must be at most that"
        )
    network = _network(setting.network.model_dump_json())
    row_counts = rows_per_node(split.train, network.nodes)
    check_constants(problem.C, problem.rho, row_counts)
    return PublicFacts(problem.C, problem.rho, get_loss(problem.loss).c1, row_counts, network.degrees)


@lru_cache
def _network(section: str) -> Network:
    return Network.from_edges(make_edges(**json.loads(section)))
