"""Verdicts on components, and on all components of a plug-in."""

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
from radmm.contract.contract_error import Broken, calling
from radmm.contract.figure import check_figure
from radmm.contract.loss import check_loss
from radmm.contract.metric import check_metric
from radmm.contract.noise import check_noise, example_noise
from radmm.contract.parameters import check_parameters, example_of
from radmm.contract.partition import check_partition
from radmm.contract.schedule import check_schedule
from radmm.contract.source import check_source
from radmm.contract.topology import check_topology
from radmm.data.partition import Partition
from radmm.data.source import DataSource
from radmm.data.topology import Topology
from radmm.metrics.metric import Metric
from radmm.model.losses.loss import Loss
from radmm.model.schedules.schedule import Schedule
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.noise import Noise
from radmm.results.figures.figure import FigureKind

Contract = Callable[[Any], str | None]  # takes a component, and returns a remark or raises Broken

KINDS: dict[type[Component], tuple[str, Contract]] = {
    Loss: ("loss", check_loss),
    Algorithm: ("algorithm", check_algorithm),
    Noise: ("noise", check_noise),
    Accountant: ("accountant", check_accountant),
    Schedule: ("schedule", check_schedule),
    Metric: ("metric", check_metric),
    Topology: ("topology", check_topology),
    Partition: ("partition", check_partition),
    DataSource: ("data source", check_source),
    FigureKind: ("figure", check_figure),
}


@dataclass(frozen=True)
class ContractVerdict:
    """Verdict on whether a component keeps its contract.

    Args:
        kind: The kind of component, like `algorithm`.
        name: The component's name in a config.
        broken: One sentence that says what fails; None if nothing does.
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


def check_component(component: Component | type[Component], raw: Path | None = None) -> ContractVerdict:
    """Try whether a component keeps the contract of its kind.

    Args:
        component: A component, or its class, of which one is then made.
        raw: The folder that holds a data source's raw files.
    """
    cls = component if isinstance(component, type) else type(component)
    kind, contract = next(known for base, known in KINDS.items() if issubclass(cls, base))
    try:
        check_parameters(cls)
        made = component
        if isinstance(made, type):
            made = example_noise(made) if issubclass(made, Noise) else example_of(made)
        with calling("the component"):
            remark = check_source(made, raw) if isinstance(made, DataSource) else contract(made)
    except Broken as broken:
        return ContractVerdict(kind, str(cls.name), " ".join(str(broken).split()))
    return ContractVerdict(kind, cls.name, remark=remark)


def check_plugin(path: str | Path, raw: Path | None = None) -> list[ContractVerdict]:
    """Try the contracts of all components that a plug-in's file defines; `raw` holds files of its data sources."""
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
