"""From a component, or a whole plug-in, to verdicts."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radmm.algorithms.algorithm import Algorithm
from radmm.base.errors import InputError
from radmm.base.plugins import load_plugin
from radmm.base.registry import Component
from radmm.contract.accountant import check_accountant
from radmm.contract.algorithm import check_algorithm
from radmm.contract.broken import Broken, calling
from radmm.contract.figure import check_figure
from radmm.contract.loss import check_loss
from radmm.contract.noise import check_noise, example_noise
from radmm.contract.parameters import check_parameters, example_of
from radmm.contract.partition import check_partition
from radmm.contract.source import check_source
from radmm.contract.topology import check_topology
from radmm.data.partition import Partition
from radmm.data.source import DataSource
from radmm.data.topology import Topology
from radmm.model.losses.loss import Loss
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.noise import Noise
from radmm.results.figures.figure import FigureKind

Contract = Callable[[Any], str | None]  # of an instance; what it gives is worth knowing, though nothing is wrong

KINDS: dict[type[Component], tuple[str, Contract]] = {
    Loss: ("loss", check_loss),
    Algorithm: ("algorithm", check_algorithm),
    Noise: ("noise", check_noise),
    Accountant: ("accountant", check_accountant),
    Topology: ("topology", check_topology),
    Partition: ("partition", check_partition),
    DataSource: ("data source", check_source),
    FigureKind: ("figure", check_figure),
}


@dataclass(frozen=True)
class Verdict:
    """Whether a component keeps its contract.

    Args:
        kind: What it is, like `algorithm`.
        name: As a config calls it.
        broken: What fails, in one sentence; None if nothing does.
        remark: What is worth knowing though nothing fails.
    """

    kind: str
    name: str
    broken: str | None = None
    remark: str | None = None

    def __str__(self) -> str:
        if self.broken:
            return f"{self.kind} {self.name}: {self.broken}"
        return f"{self.kind} {self.name}: ok" + (f" ({self.remark})" if self.remark else "")


def check_component(component: Component | type[Component], raw: Path | None = None) -> Verdict:
    """Try a component's contract.

    Args:
        component: Its class, or one with parameters of your choice.
        raw: The folder that holds a data source's raw files; without it, one that has files isn't built.
    """
    cls = component if isinstance(component, type) else type(component)
    kind, contract = next(known for base, known in KINDS.items() if issubclass(cls, base))
    try:
        check_parameters(cls)
        made = (
            component
            if isinstance(component, cls)
            else example_noise(cls)
            if issubclass(cls, Noise)
            else example_of(cls)
        )
        with calling("the component"):
            remark = check_source(made, raw) if isinstance(made, DataSource) else contract(made)
    except Broken as broken:
        return Verdict(kind, str(cls.name), " ".join(str(broken).split()))
    return Verdict(kind, cls.name, remark=remark)


def check_plugin(path: str | Path, raw: Path | None = None) -> list[Verdict]:
    """Try the contracts of all components that a file defines.

    Args:
        path: A plug-in.
        raw: The folder that holds the raw files of its data sources, if they have any.
    """
    module = load_plugin(path)
    found: list[type[Component]] = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Component) and value.__module__ == module.__name__
        if "name" in value.__dict__ and issubclass(value, tuple(KINDS))
    ]
    if not found:
        raise InputError(
            f"{path} defines no component: must have a class with a `name`, derived from one of "
            f"{', '.join(f'radmm.{base.__name__}' for base in KINDS)}"
        )
    return [check_component(component, raw) for component in dict.fromkeys(found)]
