"""Resolution of configs: grids are expanded into settings, and each setting is checked before anything runs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

from radmm.base.errors import Complaints, InputError, about
from radmm.privacy.calibration import BudgetError
from radmm.study.alternatives import with_own_fields
from radmm.study.budgets import requested
from radmm.study.component_json import canonical
from radmm.study.config import Config, Experiment
from radmm.study.entries import Entry
from radmm.study.figure_checks import figure_faults
from radmm.study.grids import GridPoint, Path, contains, expand, merge
from radmm.study.noise_budget import SAME_AS
from radmm.study.setting_checks import check_setting
from radmm.study.setting_facts import clear_caches
from radmm.study.setting_model import CommonSection
from radmm.study.settings import Setting
from radmm.study.validation import parse_config, parse_setting

MOST_REFUSED = 20  # points of a grid that are looked at if none can be used: the others are likely to be alike
_SAME_AS = f"noise.total_bound.{SAME_AS}"


@dataclass(frozen=True)
class Draft:
    """A validated setting of an experiment, not yet checked; its reference to another setting is still a label.

    Args:
        place: Path in the config at which it was written.
        grid_point: The setting's values on the axes of its grid.
        section: Setting as written, with all defaults filled in.
    """

    place: Path
    grid_point: GridPoint
    section: CommonSection

    @property
    def label(self) -> str:
        """Label of the setting in its experiment."""
        return self.place[-1]

    @property
    def _noise(self) -> Any:
        return getattr(self.section, "noise")  # noqa: B009 (the model is made from the components at run time)

    @property
    def reference(self) -> str | None:
        """Label of the setting whose total bound it is to meet; None if it refers to none."""
        bound = self._noise and self._noise.total_bound
        return bound[SAME_AS] if isinstance(bound, dict) else None

    @property
    def has_bound(self) -> bool:
        """Whether other settings may refer to its total bound."""
        noise = self._noise
        if noise is None:
            return False
        given = noise.alpha is not None and noise.repair is None
        return given or (noise.total_bound is not None and self.reference is None)

    @cached_property
    def setting(self) -> Setting:
        """Setting with its components, built on first use."""
        return Setting.from_json(self.section.model_dump(mode="json"))


class Referable:
    """Index of the drafts that others may refer to, by label and values, as grids may be large."""

    def __init__(self, drafts: list[Draft]) -> None:
        self._by_label: dict[str, list[Draft]] = defaultdict(list)
        for draft in drafts:
            self._by_label[draft.label].append(draft)
        self._by_values: dict[tuple[str, ...], dict[str, list[Draft]]] = {}

    def find(self, label: str, point: GridPoint) -> list[Draft]:
        """Return the drafts of a label that agree with a grid point on the axes they share; refuse one without its own
        noise.

        Args:
            label: Label that is referred to.
            point: Grid point of the draft that refers to it.
        """
        axes = [axis for axis in self._by_label[label][0].grid_point if axis in point]
        if (label, *axes) not in self._by_values:
            found = defaultdict(list)
            for other in self._by_label[label]:
                if not other.has_bound:
                    raise InputError(f"{_SAME_AS} = {label!r}: must have an alpha or a bound of its own")
                found[canonical([other.grid_point[axis] for axis in axes])].append(other)
            self._by_values[label, *axes] = found
        return self._by_values[label, *axes].get(canonical([point[axis] for axis in axes]), [])


def resolve(raw: Mapping[str, Any]) -> dict[str, list[Entry]]:
    """Return the settings of every experiment, or raise an InputError with one sentence for each error.

    Args:
        raw: Config as read from its files.
    """
    return resolve_config(parse_config(raw))


def resolve_config(config: Config) -> dict[str, list[Entry]]:
    """Return the settings of every experiment of a parsed config, or raise an InputError with one sentence for each
    error.
    """
    clear_caches()
    problems = Complaints()
    if not config.chosen:
        problems.add("experiments: must have at least one that is not left out, but with shipped: false there is none")
    experiments = {}
    for name, experiment in config.chosen.items():
        experiments[name], complete = _resolve_experiment(config.defaults, name, experiment, problems)
        with problems.collect():
            for sentence in figure_faults(name, experiment, experiments[name]) if complete else ():
                problems.add(sentence)
    problems.raise_if_any()
    return experiments


def _resolve_experiment(
    defaults: Mapping[str, Any], name: str, experiment: Experiment, problems: Complaints
) -> tuple[list[Entry], bool]:
    """Return the experiment's settings that can be used, and whether these are all."""
    drafts = []
    layers = {("defaults",): defaults, ("experiments", name, "defaults"): experiment.defaults}
    for label, own in experiment.settings.items():
        drafts += _drafts({**layers, ("experiments", name, "settings", label): own}, problems)
    refused = set(experiment.settings) - {draft.label for draft in drafts}
    resolved: dict[int, list[Entry]] = {}
    referable = Referable(drafts)
    # Those that others refer to come first: what is wrong with them is then said of them, and not of the others.
    for index, draft in sorted(enumerate(drafts), key=lambda item: item[1].reference is not None):
        if draft.reference in refused:
            continue
        with problems.collect(".".join(draft.place)):
            resolved[index] = list(_finish(name, draft, referable, list(experiment.settings)))
        if index not in resolved:
            refused.add(draft.label)
    settings = [setting for index in sorted(resolved) for setting in resolved[index]]
    _refuse_duplicates(name, settings, problems)
    return settings, not refused


def written_settings(config: Config, experiment: str, label: str) -> list[Setting]:
    """Return the settings of one label as written, each valid by itself, without looking at any data set."""
    chosen = config.chosen[experiment]
    layers: dict[Path, Mapping[str, Any]] = {
        ("defaults",): config.defaults,
        ("experiments", experiment, "defaults"): chosen.defaults,
        ("experiments", experiment, "settings", label): chosen.settings[label],
    }
    problems = Complaints()
    drafts = _drafts(layers, problems)
    problems.raise_if_any()
    return [draft.setting for draft in drafts]


def resolve_label(
    experiment: str, layers: dict[Path, Mapping[str, Any]], problems: Complaints, only_possible: bool = False
) -> list[Entry]:
    """Return the settings of one label, which must not refer to others.

    Args:
        experiment: Name of the experiment or study.
        layers: Sections by their path in the config, each laid over those before; the last is the label's own.
        only_possible: Whether to leave out settings whose budget no noise can meet, as long as others remain.
    """
    *_, place = layers
    settings: list[Entry] = []
    refused: list[str] = []
    for draft in _drafts(layers, problems):
        with problems.collect(".".join(place)):
            try:
                settings += _finish(experiment, draft, Referable([]), [])
            except BudgetError as error:
                refused.append(str(error))
    for sentence in [] if only_possible and settings else refused:
        problems.add(sentence, ".".join(place))
    return settings


def _refuse_duplicates(name: str, settings: list[Entry], problems: Complaints) -> None:
    """Refuse grids that contain a setting twice, which would count it twice."""
    seen = set()
    for setting in settings:
        if (setting.label, setting.id) in seen:
            at = ", ".join(f"{axis} = {value}" for axis, value in setting.grid_point.items())
            problems.add(f"must list a value once, but the grid has {at} twice", f"experiments.{name}.{setting.label}")
        seen.add((setting.label, setting.id))


def _drafts(layers: dict[Path, Mapping[str, Any]], problems: Complaints) -> list[Draft]:
    """Return the drafts of a label from layers of sections, each laid over those before; the last is its own.

    None are returned if one of them can't be used.
    """
    *_, place = layers

    def place_of(path: Path) -> Path:
        """Return the path at which a field was written; a missing field belongs where its section was."""
        for part in (path, path[:-1]):
            for where, written in reversed(layers.items()):
                if contains(written, part):
                    return (*where, *path)
        return (*place, *path)

    whole = reduce(merge, layers.values())
    drafts: list[Draft] = []
    refused = 0
    with problems.collect(), about(".".join(place)):
        grid = expand(whole)
        for written, point in with_own_fields(whole, grid):
            before = len(drafts)
            with problems.collect():
                drafts.append(Draft(place, point, parse_setting(written, place_of)))
            refused += before == len(drafts)
            if refused == MOST_REFUSED:
                break
    return [] if refused else drafts


def _finish(name: str, draft: Draft, referable: Referable, labels: list[str]) -> Iterator[Entry]:
    """Generate the checked entries of a draft: one, or one for each setting that it may refer to."""
    reference = draft.reference
    if reference is None:
        check_setting(draft.setting, None)
        yield Entry(name, draft.label, draft.grid_point, draft.setting)
        return
    if reference not in labels:
        raise InputError(f"{_SAME_AS} = {reference!r}: must be one of {labels}")
    others = referable.find(reference, draft.grid_point)
    if not others:
        raise InputError(f"{_SAME_AS} = {reference!r}: must have a setting at {draft.grid_point}")
    for other in others:
        setting = replace(draft.setting, noise=requested(draft.setting).referring_to(other.setting.id))
        check_setting(setting, other.setting)
        yield Entry(name, draft.label, {**other.grid_point, **draft.grid_point}, setting)
