"""A small study, made by the workflow's own steps one after the other in one process."""

from functools import partial
from pathlib import Path

import yaml

from radmm.base.store import provenance
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.batch import run_batch
from radmm.jobs.steps.calibrate import gather, run_searches
from radmm.jobs.steps.features import features
from radmm.jobs.steps.figure import figure
from radmm.jobs.steps.network import network
from radmm.jobs.steps.partition import partition
from radmm.jobs.steps.report import report
from radmm.jobs.steps.settings import list_settings
from radmm.jobs.steps.split import split
from radmm.jobs.steps.table import table
from radmm.jobs.steps.timing import timing
from radmm.jobs.study import Study
from radmm.study.component_json import to_json

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
        config: The study's config.
    """

    def __init__(self, folder: Path, config=CONFIG):
        self.folder, self.study = folder, Study.of(config)
        self.data, self.results = folder / "data", folder / "results"
        self.inputs = InputFiles(self.data, self.results / "networks")

    def files(self, kind, *names, suffix="parquet"):
        return [self.results / kind / f"{name}.{suffix}" for name in names]

    def settings(self, *experiments):
        return [entry.setting for name in experiments for entry in self.study.entries[name]]

    def noise(self, *experiments):
        asking = [name for name in experiments if self.study.searches(name)]
        return self.files("calibrations", *asking, suffix="json")

    def traces(self, *experiments):
        return self.files("traces", *(setting.id for setting in self.settings(*experiments)))

    def sources(self, settings):
        """What a rule's inputs `features` and `networks` would be."""
        paths = [self.inputs.paths(each) for each in settings]
        return {"features": [path.features for path in paths], "networks": [path.network for path in paths]}

    @property
    def counts(self):
        return self.files("partitions", *self.study.partitions, suffix="json")

    def steps(self):
        """(what is called, the files that it reads and is alone to judge, the files that it writes), in their order."""
        yield from self.data_steps()
        yield from self.search_steps("mine")
        (noise,) = self.noise("mine")
        for each in self.study.batches.values():
            yield self.batch_step(each)
        listed = self.results / "settings.parquet"
        yield partial(list_settings, self.study.experiments, [noise], self.counts, listed), [noise], [listed]
        for name in self.study.experiments:
            private = self.files("ledgers", *(each.id for each in self.settings(name) if each.noise is not None))
            made = [self.results / "tables" / f"{name}.{kind}" for kind in ("parquet", "csv")]
            yield partial(self.table, name), [*self.traces(name), *private], made
        (seconds,) = self.files("timings", "mine")
        sources = self.sources(self.settings("mine"))
        settings = self.study.experiments["mine"]
        yield partial(timing, "mine", settings, [noise], seconds=seconds, **sources), [], [seconds]
        for name in self.study.experiments:
            made = [self.results / "figures" / f"{name}.{kind}" for kind in ("pdf", "png", "svg")]
            read = self.files("tables", name) + [seconds] * (name == "mine")
            yield partial(self.figure, name), read, made
        yield partial(self.report), self._read_by_report(), [self.results / "report.html"]

    def data_steps(self):
        for name, source in self.study.data_sets.items():
            made = [self.data / f"{name}.{kind}" for kind in ("parquet", "npz", "json")]
            yield partial(features, name, to_json(source), [], *made), [], made
        for name, setting in self.study.splits.items():
            target, source = self.data / "splits" / f"{name}.parquet", self.data / f"{setting.data_name}.parquet"
            yield partial(split, to_json(setting.split), source, target), [source], [target]
        for name, law in self.study.networks.items():
            made = [self.results / "networks" / f"{name}.{kind}" for kind in ("edges", "json")]
            yield partial(network, to_json(law), *made), [], made
        for name, setting in self.study.partitions.items():
            read = self.inputs.paths(setting)[:2]
            made = [self.results / "partitions" / f"{name}.{kind}" for kind in ("json", "pdf", "png", "svg")]
            yield partial(partition, name, setting, self.study.entries, *read, *made), read, made

    def searches(self, names):
        return self.files("searches", *sorted(set(names)), suffix="json")

    def search_steps(self, *experiments):
        for batch in self.study.search_batches.values():
            made, read = self.searches(batch.searches), [each for each in batch.searches.values() if each.needs_data]
            counts = self.counts if read else []
            yield partial(run_searches, batch, counts, self.results / ".resume", made), counts, made
        for name in experiments:
            needed, (noise,) = self.study.searches(name), self.noise(name)
            read = self.searches(needed.values())
            yield partial(gather, needed, read, noise), read, [noise]

    def batch_step(self, batch):
        paths = [self.inputs.paths(each) for each in batch.settings.values()]
        noise = self.searches(batch.searches.values())
        private = [name for name, each in batch.settings.items() if each.noise is not None]
        traces, ledgers = self.files("traces", *batch.settings), self.files("ledgers", *private)
        sources = self.sources(batch.settings.values())
        outputs = {"cache": self.results / ".resume", "traces": traces, "ledgers": ledgers}
        call = partial(run_batch, batch, searches=noise, **sources, **outputs)
        return call, [*sorted({path for each in paths for path in each}), *noise], traces

    def table(self, name):
        made = [self.results / "tables" / f"{name}.{kind}" for kind in ("parquet", "csv")]
        sources = self.sources(self.settings(name))
        read = {"calibrations": self.noise(name), "traces": self.traces(name), **sources}
        table(name, self.study.experiments[name], parquet=made[0], csv=made[1], **read)

    def figure(self, name):
        made = [self.results / "figures" / f"{name}.{kind}" for kind in ("pdf", "png", "svg")]
        timings = self.results / "timings" / "mine.parquet" if name == "mine" else None
        figure(self.study.figure_kind(name).name, *self.files("tables", name), *made, timings=timings)

    def report(self, described=None):
        facts = [self.data / f"{name}.json" for name in self.study.data_sets]
        shown = described or self.study.described
        listed, page = self.results / "settings.parquet", self.results / "report.html"
        networks = self.files("networks", *self.study.networks, suffix="edges")
        report(self.study.experiments, shown, "snakemake --cores all -- results", listed, networks, facts, page)

    def _read_by_report(self):
        pictures = self.files("figures", *self.study.experiments, suffix="svg")
        pictures += self.files("partitions", *self.study.partitions, suffix="svg")
        read = [*pictures, self.results / "settings.parquet"]
        read += [self.data / f"{name}.json" for name in self.study.data_sets]
        read += self.traces(*self.study.experiments)[::3]  # one is read like all others
        read += self.files("tables", *self.study.experiments)
        return read + self.files("networks", *self.study.networks, suffix="edges")

    def make(self):
        """Everything, in order."""
        for call, _, _ in self.steps():
            with provenance():
                call()
