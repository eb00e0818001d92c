"""The config of claims: which effects matter, and over how many pairs of a split and a graph they are looked for."""

from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field

from radmm.base.json_object import JsonObject
from radmm.study.field_types import Positive, Section, Seed


class Margins(Section):
    """Smallest effects that matter, the same for all claims; what is smaller counts as no difference."""

    test_error: Positive = Field(description="Difference of test error rates.")
    loss: Positive = Field(description="Relative difference of losses, as a share.")
    ratio: Positive = Field(description="Relative difference of rates, spreads, times or distances, as a share.")


class ClaimsSection(Section):
    """Rules by which claims are judged: a level and margins."""

    level: float = Field(
        0.95, gt=0.5, lt=1, description="Probability that all intervals of a claim cover their effects, at all looks."
    )
    margins: Margins = Field(
        Margins(test_error=0.002, loss=0.02, ratio=0.1), description="Smallest effects that matter."
    )


def _growing(looks: list[int]) -> list[int]:
    for before, now in pairwise(looks):
        if now <= before:
            raise ValueError(f"must grow, but after {before} pairs comes {now}")
    return looks


class ReplicationSection(Section):
    """Replication of the paper's experiments (`make replication`)."""

    looks: Annotated[list[Annotated[int, Field(ge=2)]], AfterValidator(_growing)] = Field(
        min_length=1, description="Numbers of pairs of a split and a graph after which claims are judged."
    )
    runs: Annotated[int, Field(ge=1)] = Field(
        description="Runs of a setting in a pair, where the setting gives no number of its own; spreads take three."
    )
    first_seed: Seed = Field(
        1000, description="Seed of the first pair: of its split, graph, initial points and noise; others count on."
    )
    experiments: dict[str, JsonObject] = Field(
        {}, description="By experiment, what its settings have on other pairs in place of their own values."
    )
    data: dict[str, JsonObject | None] = Field(
        min_length=1, description="Data sets by name, each with what its settings have in place of `defaults`."
    )

    @property
    def data_sets(self) -> dict[str, JsonObject]:
        """Data sets that are not null, each with its defaults."""
        return {name: {"data": name, **own} for name, own in self.data.items() if own is not None}
