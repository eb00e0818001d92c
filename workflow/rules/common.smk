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
environ["RADMM_FOLDER"] = str(ROOT)  # where profiles find their scripts
environ["PYTHONPATH"] = pathsep.join([str(ROOT), environ.get("PYTHONPATH", "")]).rstrip(pathsep)

from radmm.jobs.batches import (
    PLAN,
    drop_markers_without_traces,
    make_batches,
    megabytes_to_ask_for,
    minutes_to_ask_for,
    write_plan,
)
from radmm.jobs.estimates import table_megabytes, table_seconds
from radmm.jobs.digest import code_digest
from radmm.base.errors import InputError
from radmm.jobs.progress import progress, settings_of_job
from radmm.study.resolution import resolve
from radmm.study.settings import canonical, network_name, split_name
from radmm.jobs.slurm import cancel_leftovers
from radmm.study.validation import parse_config

try:
    EXPERIMENTS = resolve(config)
except InputError as error:
    raise WorkflowError(f"The configuration can't be used.\n{error}")

SETTINGS = {setting.id: setting.parameters for settings in EXPERIMENTS.values() for setting in settings}
SPLITS = {split_name(parameters): parameters["split"] for parameters in SETTINGS.values()}
NETWORKS = {network_name(parameters): parameters["network"] for parameters in SETTINGS.values()}
BATCHES = make_batches(
    {name: {setting.id: setting.parameters for setting in settings} for name, settings in EXPERIMENTS.items()},
    parse_config(config).batches.seconds,
)


def part_of_config(*experiments):
    """All that these experiments depend on, in the order of the config: legends follow it."""
    sections = {experiment: config["experiments"][experiment] for experiment in experiments}
    return json.dumps({"defaults": config["defaults"], "experiments": sections})


def figure_module(experiment):
    return config["experiments"][experiment]["figure"]


def is_study(experiment):
    """Whether it goes beyond the paper."""
    return config["experiments"][experiment].get("study", False)


PAPER = [experiment for experiment in EXPERIMENTS if not is_study(experiment)]
STUDIES = [experiment for experiment in EXPERIMENTS if is_study(experiment)]


def figures_of(experiments):
    return [f"results/figures/{experiment}.{format}" for experiment in experiments for format in ("pdf", "png")]


def sources_of(wildcards):
    """What a figure is drawn from: its table and, where the figure shows seconds, these."""
    sources = {"table": f"results/tables/{wildcards.experiment}.parquet"}
    if figure_module(wildcards.experiment) == "computation":
        sources["timings"] = f"results/timings/{wildcards.experiment}.parquet"
    return sources


def splits_of(experiment):
    return sorted({split_path(setting.parameters) for setting in EXPERIMENTS[experiment]})


def networks_of(experiment):
    return sorted({network_path(setting.parameters) for setting in EXPERIMENTS[experiment]})


def megabytes_for(attempt, *experiments):
    """What a step asks for that reads all traces of these experiments."""
    return attempt * megabytes_to_ask_for(table_megabytes(parameters_of(*experiments)))


def minutes_for(attempt, *experiments):
    return attempt * minutes_to_ask_for(table_seconds(parameters_of(*experiments)))


def parameters_of(*experiments):
    return [setting.parameters for experiment in experiments for setting in EXPERIMENTS[experiment]]


def split_path(parameters):
    return f"data/splits/{split_name(parameters)}.parquet"


def network_path(parameters):
    return f"results/networks/{network_name(parameters)}.edges"


def traces_of(*experiments):
    """The markers of the batches whose settings these experiments use: with them, the traces are there."""
    settings = {setting.id for experiment in experiments for setting in EXPERIMENTS[experiment]}
    return [
        f"results/batches/{name}.json" for name, batch in BATCHES.items() if not settings.isdisjoint(batch.settings)
    ]


def planned_batches():
    """Those that the targets need, finished or not: progress is told of these."""
    return [BATCHES[job.wildcards.batch] for job in workflow.dag.jobs if job.rule.name == "traces"]


wildcard_constraints:
    batch="[0-9a-f]{12}",
    split="|".join(SPLITS),
    network="|".join(NETWORKS),
    experiment="|".join(EXPERIMENTS),
