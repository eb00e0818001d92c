"""What a setting needs before it can be solved: the workflow's own steps, one after the other."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from radmm.base.store import read_metadata
from radmm.command.setting import Chosen
from radmm.data.source import make_source
from radmm.jobs.calibrations import calibrated
from radmm.jobs.inputs import InputFiles
from radmm.jobs.steps.calibrate import calibrate_noise
from radmm.jobs.steps.download import download
from radmm.jobs.steps.features import features
from radmm.jobs.steps.network import network
from radmm.jobs.steps.solve import Inputs
from radmm.jobs.steps.split import split
from radmm.study.settings import StudySetting, data_name


def prepare(chosen: Chosen, raw: Path) -> tuple[StudySetting, Inputs, list[str], dict[str, Any]]:
    """The setting with its noise found, its inputs, the features' names, and the facts of how these were made.

    Args:
        chosen: What is to be solved.
        raw: The folder of raw files; what is missing there is fetched.
    """
    setting, parameters = chosen.setting, chosen.setting.parameters
    data, source = data_name(parameters), make_source(parameters["data"])
    if not all((raw / file).is_file() for file in source.files):
        download(parameters["data"], chosen.study.config.local_files, raw)
    with TemporaryDirectory() as scratch:
        files = InputFiles(Path(scratch) / "data", Path(scratch) / "networks")
        rows, parts, edges = paths = files.paths(parameters)
        table, facts = (rows.with_suffix(suffix) for suffix in (".parquet", ".json"))
        features(data, parameters["data"], source.paths(raw), table, rows, facts)
        split(parameters["split"], table, parts)
        network(parameters["network"], edges, edges.with_suffix(".json"))
        if not setting.is_calibrated:
            noise = Path(scratch) / "noise.json"
            calibrate_noise(chosen.study.experiments[setting.experiment], [], noise)
            (setting,) = calibrated([setting], [noise])
        told = json.loads(facts.read_text(encoding="utf-8"))
        return setting, files.read(paths), read_metadata(table)["columns"], told
