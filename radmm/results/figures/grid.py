"""A metric over a grid of settings: any parameters as axis, colour and panels, as lines, heat maps or boxes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from matplotlib.figure import Figure
from pydantic import Field

from radmm.base.registry import near_name, one_of
from radmm.metrics.metric import METRICS, metric_columns
from radmm.results.epsilon_terms import terms_by_metric
from radmm.results.figures.figure import FigureKind, Material, PlannedSetting, has_metric
from radmm.results.figures.grid_panels import draw_grid
from radmm.results.figures.grid_rows import ITERATION, LABEL, drawn_rows, number_of, plain_value
from radmm.results.figures.grid_text import explanation
from radmm.results.figures.options import Fault, common_faults
from radmm.results.figures.setting_parameters import value_at

MOST = {  # values that a reader can still tell apart, by what shows them
    "line": {"color": 10, "facet_row": 8, "facet_column": 5},
    "heatmap": {"x": 24, "color": 40, "facet_row": 8, "facet_column": 5},
    "box": {"x": 16, "color": 6, "facet_row": 8, "facet_column": 5},
}
DIFFERENCES_NAMED = 4  # parameters that a refusal names


@dataclass(frozen=True, kw_only=True)
class Grid(FigureKind):
    """A metric over a grid of settings: lines, heat maps or boxes, with panels; parameters are named as in a setting.

    Args:
        x: Parameter along the horizontal axis, like `noise.total_epsilon`; or `label`, or `iteration` for lines.
        y: Metric that is shown, like `error_rate`.
        color: Parameter that colours tell apart, or `label`; in a heat map, the rows.
        facet_row: Parameter whose values have a row of panels each, or `label`.
        facet_column: Parameter whose values have a column of panels each, or `label`.
        over: Parameter, or list of them, over whose values the mean is taken, like `split.seed`.
        form: Form of the panels: `line`, `heatmap` or `box`.
        interval: What a band shows, `range` (least to largest) or `confidence` (95 % interval of the mean): of the
            values of `over` or, without it, of the runs.
        iteration: Iteration at which the metric is read; each setting's last one if not given.
        log: Axes with a logarithmic scale, `[x]`, `[y]`, `[x, y]` or `[]`; if not given, x where its values span a
            factor of eight.
    """

    name: ClassVar[str] = "grid"
    metrics: ClassVar[tuple[str, ...]] = ()  # `y` says which
    example: ClassVar[Mapping[str, Any]] = {"x": "network.nodes"}

    x: str
    y: str = "error_rate"
    color: str | None = None
    facet_row: str | None = None
    facet_column: str | None = None
    over: str | list[str] = field(default_factory=list)
    form: Annotated[Literal["line", "heatmap", "box"], Field(alias="as")] = "line"
    interval: Literal["range", "confidence"] = "range"
    iteration: int | None = None
    log: list[Literal["x", "y"]] | None = None

    @property
    def shown(self) -> dict[str, str]:
        """Parameters that are shown, by option."""
        given = {option: getattr(self, option) for option in ("x", "color", "facet_row", "facet_column")}
        return {option: path for option, path in given.items() if path is not None}

    @property
    def averaged(self) -> list[str]:
        """Parameters over whose values means are taken."""
        return [self.over] if isinstance(self.over, str) else self.over

    def option_faults(self, settings: Sequence[PlannedSetting]) -> Iterator[Fault]:
        """Yield what is wrong with the options for these settings, each parameter, number and metric by itself."""
        values = values_of(settings)
        labels = list(dict.fromkeys(values[LABEL]))
        colored = [str(value) for value in dict.fromkeys(values.get(self.color or "", []))]
        yield from common_faults(self, labels, colored)
        yield from self._faults_of_names(values)
        yield from self._faults_of_metric(settings)
        if self.form == "heatmap" and self.color is None:
            yield "color is missing", "must be given with as: heatmap, as the parameter of its rows"
        if self.form == "box" and not self.averaged:
            yield "over is missing", "must be given with as: box, as the parameter whose values a box is made of"
        numbers = [number_of(value) for value in values.get(self.x, [])]
        if "x" in (self.log or []) and not all(number is None or number > 0 for number in numbers):
            yield f"log = {self.log}", f"must leave out x, as {self.x} has values that are not positive"

    def _faults_of_names(self, values: Mapping[str, Sequence[Any]]) -> Iterator[Fault]:
        named = [*self.shown.items(), *(("over", path) for path in self.averaged)]
        for place, (option, path) in enumerate(named):
            if path == ITERATION and option == "x" and self.form == "line" and self.iteration is None:
                continue
            written = f"{option} = {path!r}"
            count = len({value for value in values.get(path, []) if value is not None or option == "color"})
            most = MOST[self.form].get(option, count)
            if path not in values:
                yield written, _unknown(path, values)
            elif path in [other for _, other in named[:place]]:
                yield written, "must be named by one option, but another has it, too"
            elif count < 2:
                yield written, f"must be a parameter with several values here, but has one; {_varying(values)}"
            elif count > most:
                yield written, f"must have at most {most} values with as: {self.form}, but has {count}"
            elif option == "over" and path == LABEL:
                yield written, "must be a parameter, as a mean over labels is none of anything"

    def _faults_of_metric(self, settings: Sequence[PlannedSetting]) -> Iterator[Fault]:
        totals = terms_by_metric()
        if self.y not in METRICS and self.y not in totals:
            yield f"y = {self.y!r}", one_of(self.y, list(dict.fromkeys([*metric_columns(), *totals])))
        elif not any(has_metric(setting.parameters, self.y) for setting in settings):
            yield f"y = {self.y!r}", "must be a metric that at least one setting has, but none has such noise"
        if self.iteration is None:
            return
        fewest = min(int(setting.parameters["iterations"]) for setting in settings)
        if not 0 <= self.iteration <= fewest:
            yield f"iteration = {self.iteration}", f"must be at most {fewest}, which is where a setting ends"
        elif self.y in totals and self.y not in METRICS:
            yield f"iteration = {self.iteration}", f"must be left out, as {self.y} is that of the whole run"

    def refusal(self, settings: Sequence[PlannedSetting]) -> str | None:
        """Return a parameter in which settings of one point differ, as no option names it; None if there is none."""
        values = values_of(settings)
        paths = [path for path in [*self.shown.values(), *self.averaged] if path in values]
        points = defaultdict(list)
        for place in range(len(settings)):
            points[tuple(values[path][place] for path in paths)].append(place)
        for places in points.values():
            differing = [path for path, own in values.items() if len({own[place] for place in places}) > 1]
            if len(places) > 1:
                others = ", ".join(_leaves(differing)[:DIFFERENCES_NAMED])
                return (
                    f"must show or average all that varies, but settings that x, color, facets and over don't tell "
                    f"apart differ in {others}"
                )
        return None

    def draw(self, material: Material) -> Figure:
        """Draw one panel for each value of the facets."""
        return draw_grid(self, material)

    def caption(self, material: Material) -> list[str]:
        """Return what points and bands are, and the terms of budgets."""
        return explanation(self, material, drawn_rows(self, material))


def values_of(settings: Sequence[PlannedSetting]) -> dict[str, list[Any]]:
    """Return the settings' values by the dotted path of each parameter, and their labels; None where one has none."""
    paths = dict.fromkeys(path for setting in settings for path in [*setting.grid_point, *_paths(setting.parameters)])
    found = {
        path: [plain_value(setting.grid_point.get(path, value_at(setting.parameters, path))) for setting in settings]
        for path in paths
    }
    return {LABEL: [setting.label for setting in settings], **found}


def _paths(section: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, value in section.items():
        yield above + key
        if isinstance(value, Mapping):
            yield from _paths(value, f"{above}{key}.")


def _leaves(paths: Sequence[str]) -> list[str]:
    """Return the paths without sections of which a field is named as well."""
    return [path for path in paths if not any(other.startswith(f"{path}.") for other in paths)]


def _unknown(path: str, values: Mapping[str, Sequence[Any]]) -> str:
    near = near_name(path, [name for name, own in values.items() if len(set(own)) > 1] + list(values))
    return f"must be a parameter of the settings, or {LABEL}" + (near or f"; {_varying(values)}")


def _varying(values: Mapping[str, Sequence[Any]]) -> str:
    return f"those that vary are {', '.join(_leaves([path for path, own in values.items() if len(set(own)) > 1]))}"
