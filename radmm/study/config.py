"""Typed models of the config file; the model of a setting is in `setting_model`."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from radmm.base.json_object import JsonObject
from radmm.base.registry import one_of
from radmm.data.source import SOURCES
from radmm.study.claims_sections import ClaimsSection, ReplicationSection
from radmm.study.experiment_sets import ExperimentSet
from radmm.study.field_types import OneOf, Section, Seed
from radmm.study.figure_section import FigureField
from radmm.study.figure_style import Style
from radmm.study.study_folder import FOLDERS
from radmm.study.tuned_section import Tuned


def raw_files() -> Iterable[str]:
    """Return the names of the raw files of all data sets."""
    stated: Iterable[Any] = (source.files for source in SOURCES.values())
    return (file for files in stated if isinstance(files, Mapping) for file in files)  # others need parameters to tell


class Experiment(Section):
    """An experiment: one figure, and its settings by label, each written as its differences from the defaults."""

    figure: Annotated[JsonObject, FigureField()] = Field(
        description="Kind of figure: its name, or {kind: …} with its options."
    )
    title: str = Field("", description="Title of its page in the report, a noun phrase; its name if left out.")
    set: Annotated[str, OneOf(lambda: list(ExperimentSet))] = Field(
        ExperimentSet.OWN.value,
        description="paper: claims are judged by it; case: they are, but it is drawn by `make all` only; study: beyond "
        "the paper, made by `make all` only; own: yours.",
    )
    defaults: JsonObject = Field({}, description="Values of its settings where these give no others.")
    settings: dict[str, JsonObject] = Field(min_length=1)


RESERVED = ("audit", "claims", "ladder")  # figures that are no experiment's
LONGEST_NAME = 100  # a file's name, with all that is put around it, may have 255


def _file_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise ValueError("must be a name for files: letters, digits, _ and -")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"must have at most {LONGEST_NAME} letters, as files are named after it")
    return name


def _experiment_name(name: str) -> str:
    if name.casefold() in RESERVED:
        raise ValueError(f"must not be called {' or '.join(RESERVED)}: figures of these names are made anyway")
    return name


def _study_name(name: str) -> str:
    if name.casefold() in FOLDERS:
        raise ValueError(f"must be another name: results/{name} is a folder for the files of studies without one")
    return name


def _path(text: str) -> str:
    if "{" in text or "}" in text:
        raise ValueError("must be a path without { and }, which Snakemake takes for wildcards")
    return text


FilePath = Annotated[str, AfterValidator(_path)]


FileName = Annotated[str, AfterValidator(_file_name)]
ExperimentName = Annotated[FileName, AfterValidator(_experiment_name)]
StudyName = Annotated[FileName, AfterValidator(_study_name)]


class Batches(Section):
    """Grouping of settings into jobs; no result depends on it."""

    # Starting a process takes about half a second, a fortieth of this. All settings of the paper take about two
    # minutes, in some twenty jobs: hardly more than there are groups of experiments that share settings, enough for
    # eight cores, and none so long that one core is left alone with it for long.
    seconds: float = Field(
        20.0,
        ge=0,
        strict=False,  # snakemake --config 'batches={seconds: 60}' gives text
        description="Approximate length of a job, in seconds; 0 puts each setting into a job of its own.",
    )
    threads: int = Field(
        1,
        ge=1,
        strict=False,  # likewise
        description="Number of threads, and so of cores, of each job; more than one helps settings with many rows.",
    )
    ranks: int = Field(
        1,
        ge=1,
        strict=False,  # likewise
        description="Number of MPI processes that solve each setting together; several need radmm[mpi].",
    )
    launcher: str = Field("mpiexec", min_length=1, description="Command that starts MPI processes, with its options.")

    @property
    def mpi_resources(self) -> dict[str, int | str]:
        """Resources by which Snakemake's executors know a job of several processes; none for one process."""
        return {"tasks": self.ranks, "mpi": self.launcher} if self.ranks > 1 else {}


class AuditSection(Section):
    """Sizes of the audit's samples; the cases are in radmm.results.audit."""

    samples: int = Field(
        20_000, ge=100, le=10_000_000, description="Number of exact privacy losses sampled for each case and direction."
    )
    runs: int = Field(
        6_000,
        ge=20,
        le=1_000_000,
        description="Number of solver runs on each of two data sets, for the membership tests.",
    )
    canaries: int = Field(1_000, ge=100, le=100_000, description="Number of canaries of each one-run audit.")
    seed: Seed = Field(0, description="Seed of all of the audit's random draws.")


class PluginsSection(Section):
    """The plug-ins of a config, which are loaded before the rest is validated, as they add components."""

    plugins: list[FilePath] = Field([], description="Python files of your own that define components.")


class Config(PluginsSection):
    """A whole config file."""

    name: StudyName | None = Field(
        None, description="Name of the study: its results are then in results/NAME, apart from those of other studies."
    )
    local_files: dict[Annotated[str, OneOf(raw_files)], FilePath] = Field(
        {}, description="Copies of raw files that you have, by name: they are tried before any download."
    )
    batches: Batches = Field(Batches(), description="How settings are put into jobs.")
    style: Annotated[str, OneOf(lambda: list(Style))] = Field(
        Style.CLEAR.value,
        description="Style of figures. clear: colours that everybody can distinguish, bars from minimum to maximum; "
        "paper: as in the paper.",
    )
    shipped: bool = Field(True, description="false leaves out the experiments that radmm ships: the sets paper, study.")
    only: str | list[str] = Field(
        [], description="Names of the experiments to make, as a list or separated by commas; all if not given."
    )
    strict: bool = Field(
        False,
        strict=False,  # snakemake --config strict=true gives text
        description="true makes an error of each suspicion about a table, as `radmm check --strict` does.",
    )
    defaults: JsonObject = Field(description="Values of every setting where it gives no others.")
    experiments: dict[ExperimentName, Experiment | None] = Field(
        min_length=1, description="Experiments by name; null leaves out one that another file has."
    )
    tuned: dict[ExperimentName, Tuned | None] = Field(
        {}, description="Tuned studies by name; null leaves out one that another file has."
    )
    claims: ClaimsSection = Field(ClaimsSection(), description="How the paper's claims are judged.")
    replication: ReplicationSection | None = Field(
        None, description="Replication of the paper's experiments on further splits, graphs and data sets."
    )
    audit: AuditSection = Field(AuditSection(), description="How much `snakemake audit` samples.")

    @property
    def chosen(self) -> dict[str, Experiment]:
        """Experiments that are neither null nor excluded by `shipped` or `only`."""
        there = {name: experiment for name, experiment in self.experiments.items() if experiment is not None}
        kept = {name: one for name, one in there.items() if self.shipped or one.set == ExperimentSet.OWN}
        return {name: one for name, one in kept.items() if not self.wanted or name in self.wanted}

    @property
    def wanted(self) -> list[str]:
        """Names listed in `only`; an empty list means all experiments."""
        listed = self.only.split(",") if isinstance(self.only, str) else self.only
        return [name.strip() for name in listed if name.strip()]

    @model_validator(mode="after")
    def _only_what_there_is(self) -> "Config":
        there = [name for name, experiment in self.experiments.items() if experiment is not None]
        for name in self.wanted:
            if name not in there:
                raise ValueError(f"must have an experiment called {name!r}, which only asks for; {one_of(name, there)}")
        return self
