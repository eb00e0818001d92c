# What the rules share: the checked settings, the paths that belong to one, and a digest of each step's code.

import json
import sys
from os import environ, pathsep
from pathlib import Path

from snakemake.exceptions import WorkflowError

ROOT = Path(workflow.basedir)
sys.path.insert(0, str(ROOT))

# Jobs run the Python that runs Snakemake (a conda environment, if asked for, still comes first) and this radmm.
environ["PATH"] = pathsep.join([str(Path(sys.executable).parent), environ["PATH"]])
environ["PYTHONPATH"] = pathsep.join([str(ROOT), environ.get("PYTHONPATH", "")]).rstrip(pathsep)

from radmm.digest import code_digest
from radmm.errors import InputError
from radmm.resolve import resolve
from radmm.setting import canonical, network_name, split_name

try:
    EXPERIMENTS = resolve(config)
except InputError as error:
    raise WorkflowError(f"The configuration can't be used.\n{error}")

SETTINGS = {setting.id: setting.parameters for settings in EXPERIMENTS.values() for setting in settings}
SPLITS = {split_name(parameters): parameters["split"] for parameters in SETTINGS.values()}
NETWORKS = {network_name(parameters): parameters["network"] for parameters in SETTINGS.values()}


def part_of_config(*experiments):
    """All that these experiments depend on, in the order of the config: legends follow it."""
    sections = {experiment: config["experiments"][experiment] for experiment in experiments}
    return json.dumps({"defaults": config["defaults"], "experiments": sections})


def figure_module(experiment):
    return config["experiments"][experiment]["figure"]


def is_study(experiment):
    """Whether it goes beyond the paper."""
    return config["experiments"][experiment].get("study", False)


def figures_of(experiments):
    return [f"results/figures/{experiment}.{format}" for experiment in experiments for format in ("pdf", "png")]


def traces_of(*experiments):
    settings = {setting.id for experiment in experiments for setting in EXPERIMENTS[experiment]}
    return [f"results/traces/{setting}.parquet" for setting in sorted(settings)]


wildcard_constraints:
    setting="[a-z-]+-[0-9a-f]{10}",
    split="|".join(SPLITS),
    network="|".join(NETWORKS),
    experiment="|".join(EXPERIMENTS),
