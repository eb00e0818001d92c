"""The config's typed models: what a setting and a config file may say."""

import re
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)

from radmm.study.expansion import PER_NODE

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Seed = Annotated[int, Field(ge=0)]
NUMBER_SCHEMA = {"type": "number", "exclusiveMinimum": 0}
PER_NODE_SCHEMA = {
    "type": "object",
    "properties": {"per_node": {"type": "array", "items": NUMBER_SCHEMA, "minItems": 1}},
    "required": ["per_node"],
    "additionalProperties": False,
}
SAME_AS_SCHEMA = {
    "type": "object",
    "properties": {"same_as": {"type": "string"}},
    "required": ["same_as"],
    "additionalProperties": False,
}


def _is_positive(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value < float("inf")


def _number_or_per_node(value: Any) -> float | list[float]:
    listed = value.get(PER_NODE) if isinstance(value, dict) and len(value) == 1 else [value]
    if not isinstance(listed, list) or not listed or not all(_is_positive(item) for item in listed):
        raise ValueError("must be a positive number, or {per_node: [one positive number for each node]}")
    return [float(item) for item in listed] if isinstance(value, dict) else float(value)


NumberOrPerNode = Annotated[
    float | list[float],
    PlainValidator(_number_or_per_node),
    WithJsonSchema({"anyOf": [NUMBER_SCHEMA, PER_NODE_SCHEMA]}),
]


class SameAs(NamedTuple):
    """The total bound that another setting of the experiment has."""

    label: str


def _number_or_same_as(value: Any) -> float | SameAs:
    if isinstance(value, dict) and list(value) == ["same_as"] and isinstance(value["same_as"], str):
        return SameAs(value["same_as"])
    if not _is_positive(value):
        raise ValueError("must be a positive number, or {same_as: the label of a setting of this experiment}")
    return float(value)


TotalBound = Annotated[
    float | SameAs,
    PlainValidator(_number_or_same_as),
    WithJsonSchema({"anyOf": [NUMBER_SCHEMA, SAME_AS_SCHEMA]}),
]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SplitSection(Section):
    train: int = Field(ge=1, description="Training rows, spread evenly over the nodes.")
    test: Annotated[int, Field(ge=1)] | None = Field(None, description="Test rows; null takes all that are left.")
    seed: Seed = Field(0, description="Which random permutation of the rows.")


class RandomNetwork(Section):
    law: Literal["erdos-renyi"] = Field(description="Each pair of nodes is linked with one probability.")
    nodes: int = Field(ge=2, le=100_000, description="Number of nodes, the paper's N.")
    probability: float = Field(gt=0, le=1, description="Of a link; graphs are drawn until one is connected.")
    seed: Seed = Field(0, description="Which random graph.")


class ShapedNetwork(Section):
    law: Literal["ring", "star", "path", "complete"] = Field(description="The shape; a star's centre is node 0.")
    nodes: int = Field(ge=3, le=100_000, description="Number of nodes, the paper's N.")


class GridNetwork(Section):
    law: Literal["grid"] = Field(description="A rectangle; each node is linked with those beside, above and below it.")
    rows: int = Field(ge=2, le=300)
    columns: int = Field(ge=2, le=300)


class SmallWorldNetwork(Section):
    law: Literal["small-world"] = Field(description="A ring of neighbourhoods with rewired links (Watts and Strogatz).")
    nodes: int = Field(ge=3, le=100_000, description="Number of nodes, the paper's N.")
    neighbours: int = Field(ge=2, description="Links of each node before rewiring; an even number below nodes.")
    probability: float = Field(ge=0, le=1, description="Of rewiring a link; drawn until the graph is connected.")
    seed: Seed = Field(0, description="Which random graph.")

    @model_validator(mode="after")
    def _ring_of_neighbourhoods(self) -> "SmallWorldNetwork":
        if self.neighbours % 2 or self.neighbours >= self.nodes:
            raise ValueError(f"must have an even number of neighbours below nodes = {self.nodes}")
        return self


class NetworkFile(Section):
    law: Literal["file"] = Field(description="The user's own network.")
    path: str = Field(description="An edge list: two node numbers a line, counted from 0.")


class ProblemSection(Section):
    loss: Literal["logistic"] = Field("logistic", description="The margin loss.")
    C: Positive = Field(description="Weight of the data term; at most B_i, the rows of each node.")
    rho: Positive = Field(description="Weight of the regulariser ½‖f‖².")


class PenaltySection(Section):
    """scale·ratio^k at the k-th data-touching iteration."""

    scale: NumberOrPerNode = Field(1.0, description="One number, or {per_node: […]}.")
    ratio: NumberOrPerNode = Field(1.0, description="One number, or {per_node: […]}; at least 1.")


ConstantPenalty = Annotated[Positive, Field(description="η, the same for all nodes and iterations.")]
GrowingPenalty = Annotated[
    PenaltySection,
    BeforeValidator(
        lambda value: value if isinstance(value, dict) else {"scale": value},
        json_schema_input_type=Positive | PenaltySection,
    ),
    Field(description="η_i(k): a number (constant) or {scale: …, ratio: …} for scale·ratio^k."),
]
Gamma = Annotated[float, Field(ge=0, allow_inf_nan=False, description="Proximal weight of the even step.")]
DualStep = Annotated[Positive, Field(description="θ, one dual step for all nodes; at most η_i(1) everywhere.")]


class AdmmSection(Section):
    name: Literal["admm"] = Field(description="Conventional ADMM.")
    penalty: ConstantPenalty


class MAdmmSection(Section):
    name: Literal["m-admm"] = Field(description="M-ADMM: growing penalties, one dual step.")
    penalty: GrowingPenalty
    dual_step: DualStep


class RAdmmSection(Section):
    name: Literal["r-admm"] = Field(description="Recycled ADMM.")
    penalty: ConstantPenalty
    gamma: Gamma


class MRAdmmSection(Section):
    name: Literal["mr-admm"] = Field(description="Modified recycled ADMM: growing penalties.")
    penalty: GrowingPenalty
    gamma: Gamma
    dual_step: DualStep | None = None


class NoiseSection(Section):
    kind: Literal["objective", "penalty", "output"] = Field(description="Where the noise enters.")
    law: Literal["exponential-norm", "gaussian"] = Field(
        "exponential-norm", description="Density ∝ exp(−α‖ε‖), or normal with standard deviation σ."
    )
    alpha: NumberOrPerNode | None = Field(None, description="The noise has density ∝ exp(−α‖ε‖): smaller is more.")
    sigma: NumberOrPerNode | None = Field(None, description="Standard deviation of Gaussian noise.")
    total_bound: TotalBound | None = Field(
        None, description="Instead of alpha: the largest α whose total bound is this number, or a setting's."
    )
    total_epsilon: Positive | None = Field(
        None,
        description="Instead of alpha or sigma: the least noise whose total (ε, δ) is this ε with the delta below.",
    )
    delta: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None, description="δ of total_epsilon; left out for accountants in pure differential privacy."
    )
    accountant: Literal["paper", "pure", "optimal-pure", "renyi", "pld"] | None = Field(
        None, description="By whose bound total_epsilon is met; renyi if not given."
    )
    each_node: bool = Field(False, description="Meet total_epsilon at every node by itself, with a noise of its own.")
    repair: NumberOrPerNode | None = Field(
        None, description="Standard deviation of normal noise on the released value, which covers inexact argmins."
    )

    @model_validator(mode="after")
    def _one_of_four(self) -> "NoiseSection":
        given = [self.alpha, self.sigma, self.total_bound, self.total_epsilon]
        if sum(value is not None for value in given) != 1:
            raise ValueError("must give exactly one of alpha, sigma, total_bound and total_epsilon")
        if self.law == "gaussian" and (self.alpha is not None or self.total_bound is not None):
            raise ValueError(
                "must give sigma or total_epsilon with law: gaussian, which has no alpha and no total_bound"
            )
        if self.law != "gaussian" and self.sigma is not None:
            raise ValueError("must have law: gaussian with sigma")
        return self

    @model_validator(mode="after")
    def _budget(self) -> "NoiseSection":
        pure = self.accountant in ("paper", "pure")
        if self.total_epsilon is None and (self.delta is not None or self.accountant or self.each_node):
            raise ValueError("must give total_epsilon with delta, accountant or each_node")
        if self.total_epsilon is not None and pure and self.delta is not None:
            raise ValueError(f"must leave out delta, as the {self.accountant} accountant needs none")
        if self.total_epsilon is not None and not pure and self.delta is None:
            raise ValueError("must give delta with total_epsilon: a number above 0 and below 1, like 1.0e-5")
        return self


class Setting(Section):
    """Everything that determines a trace, with all its runs inside."""

    data: Literal["adult"] = Field("adult", description="The data set.")
    split: SplitSection
    network: Annotated[
        RandomNetwork | ShapedNetwork | GridNetwork | SmallWorldNetwork | NetworkFile, Field(discriminator="law")
    ]
    problem: ProblemSection
    algorithm: Annotated[AdmmSection | MAdmmSection | RAdmmSection | MRAdmmSection, Field(discriminator="name")]
    noise: NoiseSection | None = Field(None, description="null for the non-private algorithm.")
    iterations: int = Field(ge=1, le=100_000, description="The paper's T.")
    runs: int = Field(ge=1, description="Independent runs: initial points and noise differ.")
    seed: Seed = Field(0, description="Of initial points and noise.")
    initial_scale: float = Field(1.0, ge=0, allow_inf_nan=False, description="f_i(0) is normal with this scale.")


Figure = Literal[
    "comparison", "computation", "condition", "convergence", "early_stopping", "frontier", "regulariser", "topology"
]


class Experiment(Section):
    """One figure: its settings by label, each written as what differs from the defaults."""

    figure: Figure = Field(description="How it is drawn: a module of radmm.results.figures.")
    study: bool = Field(False, description="Beyond the paper: made by `make all`, not by `make`.")
    defaults: dict[str, Any] = Field({}, description="What its settings say unless they say otherwise.")
    settings: dict[str, dict[str, Any]] = Field(min_length=1)


def _file_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise ValueError("must be a name for files: letters, digits, _ and -")
    return name


ExperimentName = Annotated[str, AfterValidator(_file_name)]


class Batches(Section):
    """How settings are put into jobs; results don't depend on it."""

    seconds: float = Field(
        10.0,
        ge=0,
        allow_inf_nan=False,
        strict=False,  # snakemake --config 'batches={seconds: 60}' gives text
        description="About how long a job may take; 0: one setting a job.",
    )


class AuditSection(Section):
    """How much the audit samples; what it samples is in radmm.results.audit.cases."""

    samples: int = Field(20_000, ge=100, description="Exact privacy losses of each case and direction.")
    runs: int = Field(6_000, ge=20, description="Of the solver on each of two data sets, for the membership tests.")
    seed: Seed = Field(0, description="Of all of the audit's draws.")


class Config(Section):
    local_files: dict[Literal["adult.data", "adult.test"], str] = Field(
        {}, description="Copies of the raw files that you have: adult.data, adult.test."
    )
    batches: Batches = Field(Batches(), description="How settings are put into jobs.")
    defaults: dict[str, Any] = Field(description="What every setting says unless it says otherwise.")
    experiments: dict[ExperimentName, Experiment | None] = Field(
        min_length=1, description="By name; null leaves out one that another file has."
    )
    audit: AuditSection = Field(AuditSection(), description="How much `snakemake audit` samples.")
