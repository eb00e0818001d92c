"""Preparation of a setting before it is solved: the workflow's own steps, one after the other."""

import json
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from radmm.base.json_object import JsonObject
from radmm.base.store import read_metadata
from radmm.command.parser import note
from radmm.command.setting import Chosen
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.calibrate import row_counts_of
from radmm.jobs.steps.download import download
from radmm.jobs.steps.features import features
from radmm.jobs.steps.network import network
from radmm.jobs.steps.solve import Inputs
from radmm.jobs.steps.split import split
from radmm.study.component_json import named_to_json, to_json
from radmm.study.settings import Setting


def prepare(chosen: Chosen, raw: Path) -> tuple[Setting, Inputs, list[str], JsonObject]:
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
