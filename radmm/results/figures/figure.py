"""Interface of figure kinds: what one needs, whether an experiment has it, and how it is drawn.

A kind is asked before anything runs whether it can draw an experiment's settings, and draws them from files when all
has run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import pandas as pd

from radmm.base.registry import Component, Registry
from radmm.base.store import checked, read_metadata
from radmm.metrics.metric import METRICS, metric_columns
from radmm.results.figures.options import Fault, FigureOptions, common_faults, in_order
from radmm.results.figures.setting_parameters import is_gaussian, is_private
from radmm.study.figure_registry import FIGURES
from radmm.study.figure_style import Style
from radmm.study.grids import GridPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # `import radmm` names this module, and is done before Matplotlib would be

BOUND, TOTAL = "privacy_loss", "epsilon_"  # metrics that only noise has: the published bound, and totals by accountants


class PlannedSetting(Protocol):
    """Interface of a setting before it has run, as a figure kind sees it."""

    @property
    def label(self) -> str:
        """Text of the legend."""

    @property
    def grid_point(self) -> GridPoint:
        """Values of the setting on the axes of its grid."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Parameters section by section, with `noise` null if there is none."""


@dataclass(frozen=True)
class Material:
    """Data from which a figure is drawn: table, parameters, timings and style.

    Args:
        table: The experiment's statistics, one row for each setting, iteration and metric.
        parameters: Each setting's, by its id.
        data_steps: Each setting's K(T), the number of iterations that touch data, by its id.
        timings: Seconds of each setting and repeat, for kinds that have `timings` among their sources.
        style: How to draw it.
        asked: Noise sections of settings that asked for a budget, by id: `parameters` has the noise that was found.
        colors: Colours that the config gives to labels.
    """

    table: pd.DataFrame
    parameters: Mapping[str, Mapping[str, Any]]
    data_steps: Mapping[str, int]
    timings: pd.DataFrame | None = None
    style: Style = Style.CLEAR
    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, table: Path, timings: Path | None = None, style: Style = Style.CLEAR) -> Material:
        """Read the material from the files of the steps before.

        Args:
            table: An experiment's table in Parquet, with parameters and data steps in its metadata.
            timings: Its timings, if the figure shows them.
            style: Style of the figure.
        """
        stored = read_metadata(checked(table))
        seconds = None if timings is None else pd.read_parquet(checked(timings))
        kept = (stored["parameters"], stored["data_steps"])
        return cls(pd.read_parquet(table), *kept, seconds, style, stored.get("asked", {}))

    @property
    def tidy(self) -> pd.DataFrame:
        """The table with every parameter of a row's setting as a column: `algorithm.name`, `noise.alpha` and so on.

        Seaborn draws it as it is, for example by `sns.relplot(rows, x="iteration", y="mean", hue="label")`, where rows
        are those of one metric.
        """
        parameters = pd.json_normalize([{"setting": name, **own} for name, own in self.parameters.items()])
        others = [name for name in self.table if name == "setting" or name not in parameters]
        return self.table[others].merge(parameters, on="setting", validate="many_to_one")

    def tell(self, rows: pd.DataFrame, read: Callable[[Mapping[str, Any]], Any]) -> pd.Series[Any]:
        """Return, for each row, a value computed from its setting's parameters.

        Args:
            rows: Rows with a column `setting`.
            read: Function of the parameters.
        """
        return rows["setting"].map({name: read(parameters) for name, parameters in self.parameters.items()})

    def recycles(self, setting: str) -> bool:
        """Return whether some of a setting's iterations touch no data: K(T) < T.

        Args:
            setting: Id of the setting.
        """
        return self.data_steps[setting] < int(self.parameters[setting]["iterations"])


class FigureKind(FigureOptions, Component, ABC):
    """Base class of figure kinds: a subclass has a name, states what it needs, and implements `draw`.

    A kind with options of its own is a dataclass, frozen and with keywords only, like `FigureOptions`.
    """

    registry: ClassVar[Registry[Any]] = FIGURES
    axes: ClassVar[tuple[str, ...]] = ()  # of grids, without which there is nothing to draw
    metrics: ClassVar[tuple[str, ...]] = ("loss",)  # without which there is nothing to draw
    sources: ClassVar[tuple[str, ...]] = ("table",)  # and "timings", where seconds are shown

    def option_faults(self, settings: Sequence[PlannedSetting]) -> Iterator[Fault]:
        """Yield what is wrong with the options for these settings: `option = value`, and the rest of the sentence.

        Args:
            settings: All settings of an experiment.
        """
        labels = list(dict.fromkeys(setting.label for setting in settings))
        yield from common_faults(self, labels, labels)

    def arranged(self, material: Material) -> Material:
        """Return the material in the order and with the colours that the options ask for.

        Args:
            material: Results as they were read.
        """
        return replace(material, table=in_order(material.table, self.order), colors=self.colors)

    def refusal(self, settings: Sequence[PlannedSetting]) -> str | None:
        """Return why this kind can't draw these settings, or None if it can.

        The reason is the end of a sentence that begins with `figure = name:`.

        Args:
            settings: All settings of an experiment.
        """
        for axis in self.axes:
            if not any(axis in setting.grid_point for setting in settings):
                return f"must have a grid over {axis}: a list of values there in at least one setting, but none has it"
        for metric in self.metrics:
            if metric not in METRICS and not metric.startswith(TOTAL):
                return f"must draw what is measured ({', '.join(metric_columns())}, {TOTAL}…), but needs {metric!r}"
            if not any(has_metric(setting.parameters, metric) for setting in settings):
                law = " of exponential norm" if metric == BOUND else ""
                return f"must have a privacy bound to draw: at least one setting with noise{law}, but none has it"
        return None

    def caption(self, material: Material) -> list[str]:
        """Return what a reader must know beyond axes, titles and legend, in sentences for the caption.

        Args:
            material: Results of settings that `refusal` accepted.
        """
        return []

    @abstractmethod
    def draw(self, material: Material) -> Figure:
        """Draw the figure.

        Args:
            material: Results of settings that `refusal` accepted.
        """


def has_metric(parameters: Mapping[str, Any], metric: str) -> bool:
    """Return whether a setting will have the metric.

    Args:
        parameters: Parameters of the setting.
        metric: Name of the metric.
    """
    if metric == BOUND:
        return is_private(parameters) and not is_gaussian(parameters)
    return is_private(parameters) or not metric.startswith(TOTAL)
