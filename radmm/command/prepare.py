"""Preparation of a setting before it is solved: the workflow's own steps, one after the other."""

import argparse
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from radmm.base.json_object import JsonObject
from radmm.base.store import read_metadata
from radmm.command.chosen_setting import ChosenSetting
from radmm.command.parser import note
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.calibrate import row_counts_of
from radmm.jobs.steps.download import download
from radmm.jobs.steps.features import features
from radmm.jobs.steps.network import network
from radmm.jobs.steps.solve import Inputs
from radmm.jobs.steps.split import split
from radmm.model.network import Network
from radmm.study.component_json import named_to_json, to_json
from radmm.study.settings import Setting


@dataclass(frozen=True)
class PreparedSetting:
    """Facts of a setting that was solved, besides its result.

    Args:
        name: Name of the setting for people.
        setting: Setting with calibrated noise.
        network: Network of all nodes.
        hashes: Content hashes of the inputs.
        columns: Names of the features.
        data: Facts of how the features were made.
        train: Number of training rows.
    """

    name: str
    setting: Setting
    network: Network
    hashes: dict[str, str]
    columns: list[str]
    data: JsonObject
    train: int


def add_data_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags for the rows of a setting and how they are spread."""
    parser.add_argument("--data", metavar="NAME,…", help="data set")
    parser.add_argument("--train", type=int, metavar="ROWS", help="number of training rows")
    parser.add_argument("--test", type=int, metavar="ROWS", help="number of test rows (default: all others)")
    parser.add_argument("--partition", metavar="LAW,…", help="how rows are spread over nodes (default: even)")
    parser.add_argument("--runs", type=int, metavar="R", help="number of runs (default: the config's, or 10)")
    parser.add_argument("--seed", type=int, metavar="SEED", help="seed of initial points and noise")
    parser.add_argument(
        "--raw", type=Path, default=Path("data/raw"), metavar="FOLDER", help="folder with raw files (default: data/raw)"
    )


def prepare(chosen: ChosenSetting, raw: Path) -> tuple[Setting, Inputs, list[str], JsonObject]:
    """Return the setting with calibrated noise, its inputs, the features' names, and facts of how these were made.

    Args:
        chosen: Setting to solve.
        raw: Folder of raw files; missing ones are downloaded.
    """
    setting = chosen.entry.setting
    source = setting.data
    for sentence in source.suspicions:
        note(f"suspicious: {sentence}")
    if not all((raw / file).is_file() for file in source.files):
        download(named_to_json(source), chosen.study.config.local_files, raw)
    with TemporaryDirectory() as scratch:
        files = InputFiles(Path(scratch) / "data", Path(scratch) / "networks")
        rows, parts, edges = paths = files.paths(setting)
        table, facts = (rows.with_suffix(suffix) for suffix in (".parquet", ".json"))
        features(setting.data_name, named_to_json(source), source.paths(raw), table, rows, facts)
        split(to_json(setting.split), table, parts)
        network(to_json(setting.network), edges, edges.with_suffix(".json"))
        if not setting.is_calibrated:
            search = chosen.study.search_of[setting.id]
            setting = setting.with_noise(search.find(partial(row_counts_of, partitions=[])).noise)
        made = json.loads(facts.read_text(encoding="utf-8"))
        return setting, files.read(paths), read_metadata(table)["columns"], made
