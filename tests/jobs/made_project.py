"""A small study, made by the workflow's own steps one after the other in one process."""

from pathlib import Path

import yaml

from radmm.base.store import provenance
from radmm.jobs.inputs import InputFiles
from radmm.jobs.plan import BATCHES, PLAN
from radmm.jobs.steps.batch import batch
from radmm.jobs.steps.calibrate import calibrations
from radmm.jobs.steps.features import features
from radmm.jobs.steps.figure import figure
from radmm.jobs.steps.network import network
from radmm.jobs.steps.partition import partition
from radmm.jobs.steps.report import report
from radmm.jobs.steps.settings import settings
from radmm.jobs.steps.split import split
from radmm.jobs.steps.table import table
from radmm.jobs.steps.timing import timing
from radmm.jobs.study import Study
from radmm.study.settings import data_name, split_name

CONFIG = yaml.safe_load("""
shipped: false
defaults:
  data: {name: synthetic, rows: 60, features: 3}
  split: {train: 40, test: 20, seed: 0}
  network: {law: ring, nodes: 4}
  problem: {loss: logistic, C: 5.0, rho: 0.3}
  iterations: 4
  runs: 2
experiments:
  mine:
    figure: computation
    settings:
      ADMM: {algorithm: {name: admm, penalty: 1.0}}
      R-ADMM:
        algorithm: {name: r-admm, penalty: 1.0, gamma: 0.5}
        noise: {kind: objective, alpha: 2.0}
        split: {seed: [0, 1]}
      Budget:
        algorithm: {name: r-admm, penalty: 1.0, gamma: 0.5}
        noise: {kind: objective, law: gaussian, total_epsilon: 5.0, delta: 1.0e-5, accountant: renyi}
  other:
    figure: convergence
    settings:
      Star:
        algorithm: {name: admm, penalty: 1.0}
        network: {law: star, nodes: 4}
        partition: {law: sizes, per_node: [10, 12, 8, 10]}
      Path: {algorithm: {name: admm, penalty: 2.0}, network: {law: path, nodes: 4}}
""")


class MadeProject:
    """Each step as the workflow would start it, with the files that it reads.

    Args:
        folder: An empty one.
    """

    def __init__(self, folder: Path):
        self.folder, self.study = folder, Study.of(CONFIG)
        self.plan, self.data, self.results = folder / PLAN, folder / "data", folder / "results"
        self.study.write(self.plan, self.study.batches.values())

    def steps(self):
        """(what is called, the files that it reads and is alone to judge, the files that it writes), in their order."""
        results, data, plan = self.results, self.data, self.plan
        for name in self.study.data_sets:
            made = [data / f"{name}.{kind}" for kind in ("parquet", "npz", "json")]
            yield lambda name=name, made=made: features(plan, name, data / "raw", *made), [plan / "study.json"], made
        for name, section in self.study.splits.items():
            target, source = data / "splits" / f"{name}.parquet", data / f"{section['data']}.parquet"
            yield lambda name=name, target=target, source=source: split(plan, name, source, target), [source], [target]
        for name in self.study.networks:
            made = [results / "networks" / f"{name}.{kind}" for kind in ("edges", "json")]
            yield lambda name=name, made=made: network(plan, name, *made), [], made
        for name, section in self.study.partitions.items():
            read = [data / f"{data_name(section)}.npz", data / "splits" / f"{split_name(section)}.parquet"]
            made = [results / "partitions" / f"{name}.{kind}" for kind in ("json", "pdf", "png")]
            yield lambda name=name, read=read, made=made: partition(plan, name, *read, *made), read, made
        noise = results / "calibrations"
        made = [noise / "mine.json"]
        read = [plan / "experiments" / "mine.json"]
        yield lambda made=made: calibrations(plan, "mine", results / "partitions", *made), read, made
        for name, each in self.study.batches.items():
            yield self._batch(name, each)
        settings_file = results / "settings.parquet"
        yield (
            lambda: settings(plan, noise, results / "partitions", settings_file),
            [noise / "mine.json"],
            [settings_file],
        )
        for name in self.study.experiments:
            ids = {setting.id: setting.parameters["noise"] for setting in self.study.experiments[name]}
            read = [results / "traces" / f"{one}.parquet" for one in ids]
            read += [results / "ledgers" / f"{one}.parquet" for one, found in ids.items() if found is not None]
            made = [results / "tables" / f"{name}.{kind}" for kind in ("parquet", "csv")]
            yield (
                lambda name=name, made=made: table(
                    plan, name, noise, results / "traces", results / "ledgers", data, results / "networks", *made
                ),
                read,
                made,
            )
        seconds = results / "timings" / "mine.parquet"
        yield lambda: timing(plan, "mine", noise, data, results / "networks", seconds), [], [seconds]
        for name in self.study.experiments:
            timings = seconds if name == "mine" else None
            read, made = (
                results / "tables" / f"{name}.parquet",
                [results / "figures" / f"{name}.{k}" for k in ("pdf", "png")],
            )
            kind = self.study.config.chosen[name].figure
            yield (
                lambda kind=kind, read=read, made=made, timings=timings: figure(kind, read, *made, timings),
                [read, *filter(None, [timings])],
                made,
            )
        pictures = [results / "figures" / f"{name}.png" for name in self.study.experiments]
        pictures += [results / "partitions" / f"{name}.png" for name in self.study.partitions]
        page = results / "report.html"
        ids = [setting.id for settings in self.study.experiments.values() for setting in settings]
        read = [*pictures, results / "settings.parquet", *(data / f"{name}.json" for name in self.study.data_sets)]
        read += [results / "traces" / f"{one}.parquet" for one in ids[::3]]  # one is read like all others
        read += [results / "tables" / f"{name}.parquet" for name in self.study.experiments]
        read += [results / "networks" / f"{name}.edges" for name in self.study.networks]
        yield lambda: report(plan, results, data, "snakemake --cores all", page), read, [page]

    def _batch(self, name, each):
        files = InputFiles(self.data, self.results / "networks")
        read = sorted({path for setting in each.settings.values() for path in files.paths(setting)})
        marker, traces = self.results / "batches" / f"{name}.json", self.results / "traces"
        made = [marker, *(traces / f"{setting}.parquet" for setting in each.settings)]
        noise = self.results / "calibrations"
        asked = [noise / f"{each.calibrations}.json"] if each.calibrations else []
        return (
            lambda: batch(self.plan, name, files.data, files.networks, noise, traces, marker),
            [*read, *asked, self.plan / BATCHES],
            made,
        )

    def make(self):
        """Everything, in order."""
        for call, _, _ in self.steps():
            with provenance():
                call()
