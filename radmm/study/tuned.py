"""Tuned studies: every method at its best on some splits and graphs, judged on others.

A study crosses cells (a network, a partition) with methods (an algorithm, a noise, and a grid of hyper-parameters). Of
each pair it makes one group of candidates, which differ in nothing but hyper-parameters and noise.
"""

from typing import Any

from pydantic import Field, model_validator

from radmm.study.fields import Positive, Section, Seed


class Tuned(Section):
    """A tuned study."""

    defaults: dict[str, Any] = Field({}, description="What all candidates say unless they say otherwise.")
    cells: dict[str, dict[str, Any]] = Field(min_length=1, description="Networks and partitions to be met, by name.")
    methods: dict[str, dict[str, Any]] = Field(min_length=1, description="By name; a list is a grid to choose from.")
    references: dict[str, dict[str, Any]] = Field(
        {}, description="Methods that are run once, on a network that they name themselves, like a trusted curator."
    )
    untuned: list[str] = Field(
        [], description="Methods of which the last iterate after all iterations is shown, as published."
    )
    rounds: list[int] = Field(min_length=1, description="After which runs may stop.")
    epsilon: list[Positive] = Field(min_length=1, description="Total budgets to be met.")
    delta: float = Field(1e-5, gt=0, lt=1, description="δ of all budgets.")
    selection: list[Seed] = Field(min_length=1, description="Of splits, graphs and noise that choices are made on.")
    keep: list[int] = Field([], description="How many candidates each budget keeps after each of these but the last.")
    judgement: list[Seed] = Field(min_length=2, description="Of other splits, graphs and noise, which are shown.")
    page: str | None = Field(None, pattern="^[a-z0-9_]+$", description="Name of the page; the study's if not given.")

    @property
    def said(self) -> dict[str, Any]:
        """What its groups share, as a file keeps it."""
        return self.model_dump(mode="json", exclude={"defaults", "cells", "methods", "references"})

    @model_validator(mode="after")
    def _consistent(self) -> "Tuned":
        both = sorted(set(self.selection) & set(self.judgement))
        if both:
            raise ValueError(f"must judge on other seeds than it selects on, but both have {both[0]}")
        if len(self.keep) != len(self.selection) - 1:
            raise ValueError(f"must keep a number after each selection seed but the last: {len(self.selection) - 1}")
        unknown = [name for name in self.untuned if name not in self.methods]
        if unknown:
            raise ValueError(f"must list methods in untuned, but {unknown[0]!r} is none")
        if min(self.rounds) < 1:
            raise ValueError(f"must have rounds from 1, but lists {min(self.rounds)}")
        return self
