"""From the config as written to settings that can run: grids expanded, and all refused that can be refused at once."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

from radmm.base.errors import Complaints, InputError, about
from radmm.driver import warn_of_divergence
from radmm.model.losses.loss import Loss
from radmm.model.public_facts import PublicFacts
from radmm.privacy.calibration import BudgetError
from radmm.privacy.proof_conditions import check_condition, check_loss, check_pair
from radmm.study.alternatives import with_own_fields
from radmm.study.budgets import check_budget, requested
from radmm.study.component_json import canonical, content_key
from radmm.study.config import Config, Experiment
from radmm.study.drawing import figure_faults
from radmm.study.grids import Path, contains, expand, merge
from radmm.study.noise_budget import SAME_AS
from radmm.study.setting_facts import check_size, check_split, forget, known_facts, loss_of, network_of, query_log_of
from radmm.study.setting_model import CommonSection, plain
from radmm.study.settings import Entry, Setting
from radmm.study.validation import parse_config, parse_setting

_SAME_AS = f"noise.total_bound.{SAME_AS}"


@dataclass(frozen=True)
class Draft:
    """A setting of one experiment, validated but not yet checked; a reference is still to a label.

    Args:
        place: Where in the config it was written.
        point: The grid point: the values it takes on the axes of its grid.
        section: What was written, with all defaults filled in.
    """

    place: Path
    point: dict[str, Any]
    section: CommonSection

    @property
    def label(self) -> str:
        """The label under which the experiment has the setting."""
        return self.place[-1]

    @property
    def _noise(self) -> Any:
        return getattr(self.section, "noise")  # noqa: B009 (the model is made from the components at run time)

    @property
    def reference(self) -> str | None:
        """The label of the setting whose bound it is to have."""
        bound = self._noise and self._noise.total_bound
        return bound[SAME_AS] if isinstance(bound, dict) else None

    @property
    def has_bound(self) -> bool:
        """Whether others may refer to its total bound."""
        noise = self._noise
        if noise is None:
            return False
        given = noise.alpha is not None and noise.repair is None
        return given or (noise.total_bound is not None and self.reference is None)

    @cached_property
    def setting(self) -> Setting:
        """The setting with its components, built when it is first asked for."""
        return Setting.from_json(plain(self.section))


class Referable:
    """Drafts that others may refer to, found by label and values without looking at each: grids may be large."""

    def __init__(self, drafts: list[Draft]) -> None:
        self._by_label: dict[str, list[Draft]] = defaultdict(list)
        for draft in drafts:
            self._by_label[draft.label].append(draft)
        self._by_values: dict[tuple[str, ...], dict[str, list[Draft]]] = {}

    def find(self, label: str, point: Mapping[str, Any]) -> list[Draft]:
        """Drafts of the label that agree with the grid point on the axes that both have; all must have their own noise.

        Args:
            label: The label that is referred to.
            point: The grid point of the draft that refers to it.
        """
        axes = [axis for axis in self._by_label[label][0].point if axis in point]
        if (label, *axes) not in self._by_values:
            found = defaultdict(list)
            for other in self._by_label[label]:
                if not other.has_bound:
                    raise InputError(f"{_SAME_AS} = {label!r}: must have an alpha or a bound of its own")
                found[canonical([other.point[axis] for axis in axes])].append(other)
            self._by_values[label, *axes] = found
        return self._by_values[label, *axes].get(canonical([point[axis] for axis in axes]), [])


def resolve(raw: Mapping[str, Any]) -> dict[str, list[Entry]]:
    """Every experiment's settings, or an InputError with one sentence for each thing that is wrong.

    Args:
        raw: The config as it was read from its files.
    """
    return resolve_config(parse_config(raw))


def resolve_config(config: Config) -> dict[str, list[Entry]]:
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
        try:
            sentences = list(figure_faults(name, experiment, experiments[name]))
        except InputError as error:
            sentences = str(error).splitlines()
        for sentence in sentences:
            problems.add(sentence)
    if problems:
        raise InputError(str(problems))
    return experiments


def _resolve_experiment(
    defaults: Mapping[str, Any], name: str, experiment: Experiment, problems: Complaints
) -> list[Entry]:
    drafts = []
    layers = {("defaults",): defaults, ("experiments", name, "defaults"): experiment.defaults}
    for label, own in experiment.settings.items():
        try:
            drafts += list(_drafts({**layers, ("experiments", name, "settings", label): own}))
        except InputError as error:
            for sentence in str(error).splitlines():
                problems.add(sentence)
    refused = set(experiment.settings) - {draft.label for draft in drafts}
    resolved: dict[int, list[Entry]] = {}
    referable = Referable(drafts)
    # Those that others refer to come first: what is wrong with them is then said of them, and not of the others.
    for index, draft in sorted(enumerate(drafts), key=lambda item: item[1].reference is not None):
        if draft.reference in refused:
            continue
        try:
            resolved[index] = list(_finish(name, draft, referable, list(experiment.settings)))
        except InputError as error:
            problems.add(str(error), ".".join(draft.place))
            refused.add(draft.label)
    settings = [setting for index in sorted(resolved) for setting in resolved[index]]
    _refuse_duplicates(name, settings, problems)
    return settings


def written_settings(config: Config, experiment: str, label: str) -> list[Setting]:
    """The settings of one label as they are written, each valid by itself; no data set is looked at.

    Args:
        config: Of the user.
        experiment: To which they belong.
        label: The label under which the experiment has them.
    """
    chosen = config.chosen[experiment]
    layers: dict[Path, Mapping[str, Any]] = {
        ("defaults",): config.defaults,
        ("experiments", experiment, "defaults"): chosen.defaults,
        ("experiments", experiment, "settings", label): chosen.settings[label],
    }
    return [draft.setting for draft in _drafts(layers)]


def resolve_label(
    experiment: str, layers: dict[Path, Mapping[str, Any]], problems: Complaints, only_possible: bool = False
) -> list[Entry]:
    """The settings of one label, none of which refers to another.

    Args:
        experiment: To which they belong.
        layers: What is written, by place, each over those before; the last is the label's own.
        problems: Where complaints go.
        only_possible: Whether a setting whose budget no noise can meet is left out in silence, if others are left.
    """
    *_, place = layers
    try:
        drafts = list(_drafts(layers))
    except InputError as error:
        for sentence in str(error).splitlines():
            problems.add(sentence)
        return []
    settings: list[Entry] = []
    refused: list[str] = []
    for draft in drafts:
        try:
            settings += _finish(experiment, draft, Referable([]), [])
        except BudgetError as error:
            refused.append(str(error))
        except InputError as error:
            problems.add(str(error), ".".join(place))
    for sentence in [] if only_possible and settings else refused:
        problems.add(sentence, ".".join(place))
    return settings


def _refuse_duplicates(name: str, settings: list[Entry], problems: Complaints) -> None:
    """A grid that has one setting twice would count it twice."""
    seen = set()
    for setting in settings:
        if (setting.label, setting.id) in seen:
            at = ", ".join(f"{axis} = {value}" for axis, value in setting.point.items())
            problems.add(f"must list a value once, but the grid has {at} twice", f"experiments.{name}.{setting.label}")
        seen.add((setting.label, setting.id))


def _drafts(layers: dict[Path, Mapping[str, Any]]) -> Iterator[Draft]:
    """The settings that come of what is written in several places, each over those before; the last is their own."""
    *_, place = layers

    def place_of(path: Path) -> Path:
        """Where a field was written; one that is missing belongs to where its section was."""
        for part in (path, path[:-1]):
            for where, written in reversed(layers.items()):
                if contains(written, part):
                    return (*where, *path)
        return (*place, *path)

    whole = reduce(merge, layers.values())
    with about(".".join(place)):
        grid = expand(whole)
    for written, point in with_own_fields(whole, grid):
        yield Draft(place, point, parse_setting(written, place_of))


def _finish(name: str, draft: Draft, referable: Referable, labels: list[str]) -> Iterator[Entry]:
    """The setting, or one for each that it refers to, after all checks that are quick."""
    reference = draft.reference
    if reference is None:
        _check(draft.setting, None)
        yield Entry(name, draft.label, draft.point, draft.setting)
        return
    if reference not in labels:
        raise InputError(f"{_SAME_AS} = {reference!r}: must be one of {labels}")
    others = referable.find(reference, draft.point)
    if not others:
        raise InputError(f"{_SAME_AS} = {reference!r}: must have a setting at {draft.point}")
    for other in others:
        setting = replace(draft.setting, noise=requested(draft.setting).referring_to(other.setting.id))
        _check(setting, other.setting)
        yield Entry(name, draft.label, {**other.point, **draft.point}, setting)


def _check(setting: Setting, other: Setting | None) -> None:
    """Refuse what can't run, or whose guarantee wouldn't hold; the other is the setting whose bound it is to have."""
    check_split(setting)
    check_size(setting)
    facts, algorithm, nodes = known_facts(setting), setting.algorithm, network_of(setting).nodes
    algorithm.check(nodes)
    if facts is not None:
        warn_of_divergence(facts, network_of(setting), algorithm)
    noise = setting.noise_at_any_scale
    if noise is None:
        return
    first = query_log_of(setting, 1)  # all that the condition is about, and quick
    check_pair(algorithm, first, noise)
    _check_loss(loss_of(setting))
    for schedule in (noise.scales, noise.repairs):
        schedule(1, nodes)  # one for each node
    if facts is not None:
        check_facts(setting, facts, other)


def check_facts(setting: Setting, facts: PublicFacts, other: Setting | None) -> None:
    """Refuse a noise whose guarantee wouldn't hold, or a budget that can't be met, with the rows that nodes have.

    Args:
        setting: Any setting.
        facts: The setting's public facts.
        other: The setting whose bound it is to have, if it refers to one.
    """
    noise = setting.noise_at_any_scale
    if noise is None:
        return
    check_condition(facts, query_log_of(setting, 1), noise)
    if not setting.is_calibrated:
        check_budget(setting, facts, other)


_tried: set[Hashable] = set()


def _check_loss(loss: Loss) -> None:
    """Check a loss once for all settings that have it: its bounds are tried at thousands of margins.

    A class that was defined again, as in a notebook, is another one under the same name.
    """
    key = (content_key(loss), loss.outputs)
    if key not in _tried:
        check_loss(loss)
        _tried.add(key)
