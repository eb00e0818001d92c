"""The figure of an experiment with its options, refused before anything runs if it can't draw the settings."""

from collections.abc import Iterator, Sequence

from radmm.base.json_object import JsonObject
from radmm.study.config import Experiment
from radmm.study.entries import Entry
from radmm.study.figure_registry import FIGURES
from radmm.study.figure_section import KIND, figure_section
from radmm.study.validation import parse_section


def figure_options(name: str, experiment: Experiment) -> JsonObject:
    """Return the options that a figure is given, without those at their defaults; an InputError says what is wrong."""
    model = figure_section(experiment.figure[KIND])
    section = parse_section(model, experiment.figure, ("experiments", name, "figure"))
    return section.model_dump(mode="json", exclude={KIND}, exclude_defaults=True)


def figure_faults(name: str, experiment: Experiment, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield why an experiment's figure can't be drawn, one sentence each; an InputError says what is wrong with its
    options.
    """
    place, kind = f"experiments.{name}.figure", experiment.figure[KIND]
    figure = FIGURES[kind](**figure_options(name, experiment))
    faults = [f"{place}.{option}: {reason}" for option, reason in figure.option_faults(entries)]
    reason = None if faults else figure.refusal(entries)
    yield from faults
    if reason:
        yield f"{place} = {kind}: {reason}"
