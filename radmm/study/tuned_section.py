"""The config of tuned studies: every method at its best on some splits and graphs, judged on others.

A study crosses cells (a network, a partition) with methods (an algorithm, a noise, and a grid of hyper-parameters). Of
each pair it makes one group of candidates, which differ in nothing but hyper-parameters and noise. With several data
sets it does so on each of them, and choices are also made on the other data sets alone.

A study with `epsilon` reads budgets, rounds and averages off the same runs. One without it is a replication: the noises
themselves ask for budgets, runs end after all iterations, and pairs of methods are compared.
"""

from itertools import chain
from typing import Annotated

from pydantic import Field, model_validator

from radmm.base.json_object import JsonObject
from radmm.study.field_types import Positive, Section, Seed

OF_REPLICATIONS = ("pairs", "throughout", "published")  # fields that are left out of files where they are empty


class Tuned(Section):
    """A tuned study: methods, the cells in which they are compared, and the seeds that choose and judge."""

    defaults: JsonObject = Field({}, description="Values of all candidates where these give no others.")
    cells: dict[str, JsonObject] = Field(
        min_length=1, description="Networks and partitions on which methods are compared, by name."
    )
    data_sets: dict[str, JsonObject] = Field(
        {}, description="Data and split of each data set, by name; all cells and references are run on each."
    )
    methods: dict[str, JsonObject] = Field(
        min_length=1, description="Methods by name; a list of values is a grid to choose from."
    )
    references: dict[str, JsonObject] = Field(
        {}, description="Methods that are run once, on a network that they name themselves, like a trusted curator."
    )
    untuned: list[str] = Field(
        [], description="Methods of which the last iterate after all iterations is shown, as published."
    )
    rounds: list[int] = Field([], description="Numbers of rounds after which runs may stop; given with epsilon.")
    epsilon: list[Positive] = Field([], description="Total budgets to meet; left out if the noises ask for budgets.")
    delta: float = Field(1e-5, gt=0, lt=1, description="δ of all budgets.")
    selection: list[Seed] = Field(
        min_length=1, description="Seeds of the splits, graphs and noise on which choices are made."
    )
    keep: list[int] = Field(
        [], description="Number of candidates that each budget keeps after each selection seed but the last."
    )
    judgement: list[Seed] = Field(
        min_length=2, description="Seeds of other splits, graphs and noise, on which choices are judged."
    )
    pairs: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = Field(
        [], description="Without epsilon: pairs of methods to compare."
    )
    throughout: list[str] = Field([], description="Methods of which all candidates are judged, chosen or not.")
    published: dict[str, float] = Field({}, description="Grid point of the paper, which is judged as well.")
    page: str | None = Field(None, pattern="^[a-z0-9_]+$", description="Name of the page; the study's if not given.")

    @property
    def said(self) -> JsonObject:
        """Fields that the study's files repeat, as JSON: all but those that its candidates are made of."""
        empty = {name for name in OF_REPLICATIONS if not getattr(self, name)}
        return self.model_dump(mode="json", exclude={"defaults", "cells", "data_sets", "methods", "references", *empty})

    @property
    def is_replication(self) -> bool:
        """Whether the study is a replication: its noises ask for budgets, and pairs of methods are compared."""
        return not self.epsilon

    @model_validator(mode="after")
    def _consistent(self) -> "Tuned":
        both = sorted(set(self.selection) & set(self.judgement))
        if both:
            raise ValueError(f"must judge on other seeds than it selects on, but both have {both[0]}")
        if self.epsilon and len(self.keep) != len(self.selection) - 1:
            raise ValueError(f"must keep a number after each selection seed but the last: {len(self.selection) - 1}")
        named = {"untuned": self.untuned, "throughout": self.throughout, "pairs": list(chain(*self.pairs))}
        for field, names in named.items():
            unknown = [name for name in names if name not in self.methods]
            if unknown:
                raise ValueError(f"must list methods in {field}, but {unknown[0]!r} is none")
        if bool(self.rounds) != bool(self.epsilon):
            raise ValueError("must give both rounds and epsilon, or neither")
        if self.rounds and min(self.rounds) < 1:
            raise ValueError(f"must have rounds from 1, but lists {min(self.rounds)}")
        if self.data_sets and not self.epsilon:
            raise ValueError("must give epsilon with data_sets, as choices that carry over are made within budgets")
        if bool(self.pairs) == bool(self.epsilon):
            raise ValueError("must give either epsilon, with rounds, or pairs of methods to be compared")
        return self
