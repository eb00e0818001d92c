"""The config's model of a setting, generated from the registered components.

No component is listed here: a new one is one more class in its registry, with a section made from its fields.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, create_model, model_validator

from radmm.algorithms.algorithm import ALGORITHMS
from radmm.base.errors import InputError
from radmm.base.registry import Component, Registry
from radmm.data.partition import PARTITIONS
from radmm.data.partitions.even import Even
from radmm.data.source import SOURCES
from radmm.data.sources.table import OwnTable
from radmm.data.topology import TOPOLOGIES
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import LOSSES
from radmm.model.public_facts import LOOSEST, TOLERANCE
from radmm.model.weighting import Weighting
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.calibration import Budget
from radmm.privacy.noise import NOISES
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Neighbours, Relation
from radmm.study.component_sections import component_section
from radmm.study.field_types import NumberOrSameAs, OneOf, Positive, Section, Seed

MOST_RUNS = 10_000  # most runs of a setting: they share every pass over the rows, so all are in memory at once


class SplitSection(Section):
    """The split into training and test rows."""

    train: int = Field(ge=1, description="Number of training rows.")
    test: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Number of test rows; null takes all the others."
    )
    seed: Seed = Field(0, description="Seed of the random permutation of the rows.")


class NoiseSection(Section):
    """Fields that all noises share: the law, and a budget in place of a scale."""

    law: Literal[tuple(law.value for law in Law)] = Field(  # type: ignore[valid-type]
        Law.EXPONENTIAL_NORM.value, description="Density ∝ exp(−α‖ε‖), or normal with standard deviation σ."
    )
    total_bound: NumberOrSameAs | None = Field(
        None,
        description="In place of alpha: the largest α whose total bound is this number, or that of another setting.",
    )
    total_epsilon: Positive | None = Field(
        None,
        description="In place of alpha or sigma: the least noise whose total ε, at delta, is at most this.",
    )
    delta: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None, description="δ of total_epsilon; left out for accountants in pure differential privacy."
    )
    accountant: Annotated[str, OneOf(lambda: ACCOUNTANTS)] | None = Field(
        None, description="Name of the accountant whose bound must meet total_epsilon."
    )
    growth: Annotated[float, Field(gt=0, lt=100)] | None = Field(
        None,
        description="With total_epsilon: growth of α or 1/σ from one data-touching step to the next; 1 is constant.",
    )
    each_node: bool = Field(False, description="Meet total_epsilon at every node by itself, with a noise of its own.")
    neighbours: Literal[tuple(each.value for each in Neighbours)] | None = Field(  # type: ignore[valid-type]
        None, description="Neighbouring relation for which total_epsilon holds: replacing a row if not given."
    )
    rows: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Largest number of rows of one person; 1 if not given."
    )

    @model_validator(mode="after")
    def _one_of_four(self) -> "NoiseSection":
        alpha, sigma = (getattr(self, name, None) for name in ("alpha", "sigma"))
        if sum(value is not None for value in (alpha, sigma, self.total_bound, self.total_epsilon)) != 1:
            raise ValueError("must give exactly one of alpha, sigma, total_bound and total_epsilon")
        if self.law == Law.GAUSSIAN and (alpha is not None or self.total_bound is not None):
            raise ValueError(
                "must give sigma or total_epsilon with law: gaussian, which has no alpha and no total_bound"
            )
        if self.law != Law.GAUSSIAN and sigma is not None:
            raise ValueError("must have law: gaussian with sigma")
        if self.total_bound is not None and getattr(self, "repair", None) is not None:
            raise ValueError("must leave out repair with total_bound: normal noise has no such bound")
        return self

    @model_validator(mode="after")
    def _budget(self) -> "NoiseSection":
        pure = self.accountant is not None and ACCOUNTANTS[self.accountant].pure
        about = (self.delta, self.accountant, self.neighbours, self.rows, self.growth, self.each_node or None)
        if self.total_epsilon is None and any(value is not None for value in about):
            raise ValueError("must give total_epsilon with delta, accountant, growth, each_node, neighbours or rows")
        if self.total_epsilon is not None:
            _check_relation(self.accountant, self.neighbours, self.rows)
        if self.total_epsilon is not None and pure and self.delta is not None:
            raise ValueError(f"must leave out delta, as the {self.accountant} accountant needs none")
        if self.total_epsilon is not None and not pure and self.delta is None:
            raise ValueError("must give delta with total_epsilon: a number above 0 and below 1, like 1.0e-5")
        return self


def _check_relation(accountant: str | None, neighbours: str | None, rows: int | None) -> None:
    """Refuse an accountant that has no proof for the neighbouring relation."""
    relation = Relation(Neighbours(neighbours or Neighbours.REPLACE), rows or 1)
    try:
        ACCOUNTANTS[accountant or Budget._field_defaults["accountant"]](relation)
    except InputError as error:
        raise ValueError(f"must be what a proof exists for; {error}") from None


class CommonSection(Section):
    """The fields of a setting that belong to no component."""

    split: SplitSection
    iterations: int = Field(ge=1, le=100_000, description="The paper's T.")
    runs: int = Field(
        ge=1, le=MOST_RUNS, description="Independent runs: initial points and noise differ; all are solved together."
    )
    seed: Seed = Field(0, description="Seed of the initial points and the noise.")
    initial_scale: float = Field(1.0, ge=0, description="Standard deviation of the initial points f_i(0).")
    tolerance: float = Field(
        TOLERANCE, gt=0, le=LOOSEST, description="Gradient norm at which every argmin ends; steps take it to be zero."
    )


class CommonProblem(Section):
    """The constants of the objective."""

    C: Positive = Field(description="Weight of the data term; at most B_i, the rows of each node.")
    rho: Positive = Field(description="Weight of the regulariser ½‖f‖².")
    weighting: Literal[tuple(each.value for each in Weighting)] = Field(  # type: ignore[valid-type]
        Weighting.NODES.value,
        description="nodes: every node has weight C, as in the paper; rows: all rows weigh alike, C_i = C·N·B_i/ΣB_j.",
    )


def setting_model() -> type[CommonSection]:
    """Return the model of a setting, generated anew only when components are added."""
    kinds = (LOSSES, ALGORITHMS, NOISES, TOPOLOGIES, PARTITIONS, SOURCES)
    return _setting_model(tuple(tuple(kind.values()) for kind in kinds))


@lru_cache
def _setting_model(kinds: tuple[tuple[type[Component], ...], ...]) -> type[CommonSection]:
    losses, algorithms, noises, topologies, partitions, sources = kinds
    loss: Any = Annotated[
        _named(losses, LOSSES), Field(description="The margin loss: its name, or {name: …} with its parameters.")
    ]
    problem = create_model(
        "ProblemSection",
        __base__=CommonProblem,
        loss=(loss, _default(Logistic, "name")),
    )
    noise = _union(noises, "kind", NoiseSection) | None
    return create_model(
        "Setting",
        __base__=CommonSection,
        __doc__="A setting: everything that determines a trace, with all its runs.",
        data=(
            _named(sources, SOURCES),
            Field(description="The data set: its name, {name: …} with its parameters, or {file: …}, a table of yours."),
        ),
        network=(_union(topologies, "law"), Field(description="Law of the network.")),
        partition=(
            _union(partitions, "law"),
            Field(
                _default(Even, "law"),
                description="Law that assigns training rows to nodes.",
            ),
        ),
        problem=(problem, Field(description="Objective to minimise.")),
        algorithm=(_union(algorithms, "name"), Field(description="Algorithm that minimises it.")),
        noise=(noise, Field(None, description="Noise that makes the algorithm private; null for none.")),
    )


def _named(components: Sequence[Any], registry: Registry[Any]) -> Any:
    """Return the union of components' sections; a name alone stands for a section, and `file` for the user's table."""
    return Annotated[
        _union(components, "name"),
        BeforeValidator(
            _with_name, json_schema_input_type=Annotated[str, OneOf(lambda: registry)] | _union(components, "name")
        ),
    ]


def _with_name(value: Any) -> Any:
    if isinstance(value, str):
        return {"name": value}
    if isinstance(value, Mapping) and "file" in value and "name" not in value:
        return {"name": OwnTable.name, **value}
    return value


def _default(component: Any, tag: str) -> Section:
    return component_section(component, tag).model_validate({tag: component.name})


def _union(components: Sequence[Any], tag: str, base: type[Section] = Section) -> Any:
    """Return the union of components' sections, distinguished by their tag."""
    sections = [component_section(component, tag, base) for component in components]
    return Annotated[reduce(or_, sections), Field(discriminator=tag)] if len(sections) > 1 else sections[0]
