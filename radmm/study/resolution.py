"""From the config as written to settings that can run: grids expanded, and all refused that can be refused at once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from radmm.base.errors import Complaints, InputError, about
from radmm.driver import warn_of_divergence
from radmm.model.facts import PublicFacts
from radmm.model.losses.loss import Loss
from radmm.privacy.calibration import BudgetError
from radmm.privacy.proof_conditions import check_condition, check_loss, check_pair
from radmm.study.budgets import any_noise, check_budget, noise_parameters, reference_of
from radmm.study.config import Config, Experiment, figure_kinds
from radmm.study.expansion import Path, contains, expand, merge
from radmm.study.public import check_size, check_split, forget, known_facts, loss_of, network_of, notes_of
from radmm.study.sections import plain
from radmm.study.settings import (
    SAME_AS,
    Parameters,
    StudySetting,
    build_algorithm,
    canonical,
    is_calibrated,
    setting_id,
)
from radmm.study.validation import parse_config, parse_setting

_SAME_AS = f"noise.total_bound.{SAME_AS}"


@dataclass(frozen=True)
class Candidate:
    """A setting of one experiment, typed but not yet checked; a reference is still to a label.

    Args:
        place: Where it was written.
        point: The values it takes on the axes of its grid.
        asked: Without what is at its default.
        parameters: All of them.
    """

    place: Path
    point: dict[str, Any]
    asked: dict[str, Any]
    parameters: dict[str, Any]

    @property
    def label(self) -> str:
        """Under which the experiment has it."""
        return self.place[-1]

    @property
    def reference(self) -> str | None:
        """The label of the setting whose bound it is to have."""
        return reference_of(self.parameters)


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
                if not _has_bound(other):
                    raise InputError(f"{_SAME_AS} = {label!r}: must have an alpha or a bound of its own")
                found[canonical([other.point[axis] for axis in axes])].append(other)
            self._by_values[label, *axes] = found
        return self._by_values[label, *axes].get(canonical([point[axis] for axis in axes]), [])


def _has_bound(candidate: Candidate) -> bool:
    noise = candidate.parameters["noise"] or {}
    given = "alpha" in noise and "repair" not in noise
    return given or ("total_bound" in noise and candidate.reference is None)


def resolve(raw: Mapping[str, Any]) -> dict[str, list[StudySetting]]:
    """Every experiment's settings, or an InputError with one sentence for each thing that is wrong.

    Args:
        raw: The config as it was read from its files.
    """
    return resolve_config(parse_config(raw))


def resolve_config(config: Config) -> dict[str, list[StudySetting]]:
    """The same of a config that was parsed.

    Args:
        config: Of the user.
    """
    forget()
    problems = Complaints()
    if not config.chosen:
        problems.add("experiments: must have at least one that is not left out, but with shipped: false there is none")
    experiments = {
        name: _resolve_experiment(config.defaults, name, experiment, problems)
        for name, experiment in config.chosen.items()
    }
    if problems:
        raise InputError(str(problems))
    for name, experiment in config.chosen.items():
        reason = figure_kinds()[experiment.figure]().refusal(experiments[name])
        if reason:
            problems.add(f"experiments.{name}.figure = {experiment.figure}: {reason}")
    if problems:
        raise InputError(str(problems))
    return experiments


def _resolve_experiment(
    defaults: Mapping[str, Any], name: str, experiment: Experiment, problems: Complaints
) -> list[StudySetting]:
    candidates = []
    layers = {("defaults",): defaults, ("experiments", name, "defaults"): experiment.defaults}
    for label, own in experiment.settings.items():
        try:
            candidates += list(_candidates({**layers, ("experiments", name, "settings", label): own}))
        except InputError as error:
            for sentence in str(error).splitlines():
                problems.add(sentence)
    refused = set(experiment.settings) - {candidate.label for candidate in candidates}
    resolved: dict[int, list[StudySetting]] = {}
    referable = Referable(candidates)
    # Those that others refer to come first: what is wrong with them is then said of them, and not of the others.
    for index, candidate in sorted(enumerate(candidates), key=lambda item: item[1].reference is not None):
        if candidate.reference in refused:
            continue
        try:
            resolved[index] = list(_finish(name, candidate, referable, list(experiment.settings)))
        except InputError as error:
            problems.add(str(error), ".".join(candidate.place))
            refused.add(candidate.label)
    settings = [setting for index in sorted(resolved) for setting in resolved[index]]
    _refuse_duplicates(name, settings, problems)
    return settings


def resolve_label(
    experiment: str, layers: dict[Path, Mapping[str, Any]], problems: Complaints, only_possible: bool = False
) -> list[StudySetting]:
    """The settings of one label, none of which refers to another.

    Args:
        experiment: To which they belong.
        layers: What is written, by place, each over those before; the last is the label's own.
        problems: Where complaints go.
        only_possible: Whether a setting whose budget no noise can meet is left out in silence, if others are left.
    """
    *_, place = layers
    try:
        candidates = list(_candidates(layers))
    except InputError as error:
        for sentence in str(error).splitlines():
            problems.add(sentence)
        return []
    settings: list[StudySetting] = []
    refused: list[str] = []
    for candidate in candidates:
        try:
            settings += _finish(experiment, candidate, Referable([]), [])
        except BudgetError as error:
            refused.append(str(error))
        except InputError as error:
            problems.add(str(error), ".".join(place))
    for sentence in [] if only_possible and settings else refused:
        problems.add(sentence, ".".join(place))
    return settings


def _refuse_duplicates(name: str, settings: list[StudySetting], problems: Complaints) -> None:
    """A grid that has one setting twice would count it twice."""
    seen = set()
    for setting in settings:
        if (setting.label, setting.id) in seen:
            at = ", ".join(f"{axis} = {value}" for axis, value in setting.point.items())
            problems.add(f"must list a value once, but the grid has {at} twice", f"experiments.{name}.{setting.label}")
        seen.add((setting.label, setting.id))


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
        grid = expand(reduce(merge, layers.values()))
    for written, point in grid:
        typed = parse_setting(written, place_of)
        parameters = plain(typed)
        if parameters["noise"] is not None:
            parameters["noise"] = noise_parameters(parameters["noise"])
        yield Candidate(place, point, plain(typed, exclude_defaults=True), parameters)


def _finish(name: str, candidate: Candidate, referable: Referable, labels: list[str]) -> Iterator[StudySetting]:
    """The setting, or one for each that it refers to, after all checks that are quick."""
    reference = candidate.reference
    if reference is None:
        _check(candidate.parameters, None)
        yield StudySetting(name, candidate.label, candidate.point, candidate.asked, candidate.parameters)
        return
    if reference not in labels:
        raise InputError(f"{_SAME_AS} = {reference!r}: must be one of {labels}")
    others = referable.find(reference, candidate.point)
    if not others:
        raise InputError(f"{_SAME_AS} = {reference!r}: must have a setting at {candidate.point}")
    for other in others:
        known = {SAME_AS: setting_id(other.asked)}
        asked, parameters = (
            {**part, "noise": {**part["noise"], "total_bound": known}}
            for part in (candidate.asked, candidate.parameters)
        )
        _check(parameters, other.parameters)
        yield StudySetting(name, candidate.label, {**other.point, **candidate.point}, asked, parameters)


def _check(parameters: Parameters, other: Parameters | None) -> None:
    """Refuse what can't run, or whose guarantee wouldn't hold; the other is the setting whose bound it is to have."""
    check_split(parameters)
    check_size(parameters)
    loss = loss_of(parameters)
    facts, algorithm = known_facts(parameters), build_algorithm(parameters)
    algorithm.check(network_of(parameters).nodes)
    if facts is not None:
        warn_of_divergence(facts, network_of(parameters), algorithm)
    noise = any_noise(parameters)
    if noise is None:
        return
    first = notes_of(parameters, 1)  # all that the condition is about, and quick
    check_pair(algorithm, first, noise)
    _check_loss(f"{canonical(parameters['problem']['loss'])} {loss.outputs}", loss)
    for schedule in (noise.scales, noise.repairs):
        schedule(1, network_of(parameters).nodes)  # one for each node
    if facts is not None:
        check_facts(parameters, facts, other)


def check_facts(parameters: Parameters, facts: PublicFacts, other: Parameters | None) -> None:
    """Refuse a noise whose guarantee wouldn't hold, or a budget that can't be met, with the rows that nodes have.

    Args:
        parameters: Of a setting.
        facts: Of the setting.
        other: The parameters of the one whose bound it is to have, if it refers to one.
    """
    noise = any_noise(parameters)
    if noise is None:
        return
    check_condition(facts, notes_of(parameters, 1), noise)
    if not is_calibrated(parameters):
        check_budget(parameters, facts, other)


_tried: set[tuple[type, str]] = set()


def _check_loss(spelling: str, loss: Loss) -> None:
    """Once for all settings that have it: its bounds are tried at thousands of margins.

    A class that was defined again, as in a notebook, is another one under the same name.
    """
    if (type(loss), spelling) not in _tried:
        check_loss(loss)
        _tried.add((type(loss), spelling))
