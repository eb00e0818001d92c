"""A tuned study on made-up data, made by the workflow's own steps one after the other in one process."""

from functools import partial

import yaml

from radmm.jobs.steps.judgement import judgement
from radmm.jobs.steps.selection import selection
from radmm.results.claims.verdict import Criteria
from tests.conftest import ROOT
from tests.jobs.made_project import MadeProject

OUTPUTS = ("parquet", "csv", "markdown", "pdf", "png", "svg")


class MadeStudy(MadeProject):
    """A project whose config has a tuned study, called `study`, beside a small experiment that is not run.

    Args:
        folder: An empty one.
        said: What the config says of the study.
    """

    def __init__(self, folder, said):
        base = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
        alike = {key: said["defaults"][key] for key in ("data", "split", "problem")}
        own = {"figure": "comparison", "defaults": alike, "settings": {"ADMM": {"algorithm": {"name": "admm"}}}}
        super().__init__(folder, base | {"shipped": False, "experiments": {"mine": own}, "tuned": {"study": said}})
        self.said, self.groups = self.study.tuned["study"].said, self.study.groups

    def file_of(self, group):
        (path,) = self.files("tuned", group.name)
        return path

    def steps(self):
        yield from self.data_steps()
        yield from self.search_steps(*["study"] * bool(self.noise("study")))
        for batch in self.study.batches.values():
            yield self.batch_step(batch)
        for group in self.groups:
            yield partial(self.choose, group), self.files("traces"), [self.file_of(group)]

    def choose(self, group):
        """The group's selection, of traces that are there."""
        settings = [entry.setting for entry in group.entries]
        traces = self.files("traces", *(setting.id for setting in settings))
        sources = self.sources(settings)
        selection(group, self.said, self.noise("study"), traces, runs=self.file_of(group), **sources)

    def judge(self, folder):
        """The study's outputs, in another folder; they are returned by name."""
        outputs = {name: folder / f"out.{name}" for name in OUTPUTS}
        criteria = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1})
        judgement("study", self.said, criteria, [self.file_of(group) for group in self.groups], **outputs)
        return outputs
