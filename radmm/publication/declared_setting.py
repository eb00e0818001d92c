"""Releases of a config's setting: everything is declared, checked and planned before any row is read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.data.partition import TrainingRows, known_counts, spread_rows
from radmm.data.sources.table import OwnTable
from radmm.data.split import training_rows
from radmm.driver import warn_of_divergence
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts
from radmm.privacy.noise import Noise
from radmm.privacy.relation import Neighbours, Relation
from radmm.publication.calibration import meet_budget
from radmm.publication.conditions import check_noise_for_release, check_run, check_table
from radmm.publication.csv_lines import read_columns
from radmm.publication.declared_table import DeclaredTable
from radmm.publication.label import DECLARED, make_label
from radmm.publication.public_release import PublicRelease
from radmm.publication.run import PlannedRun, plan_release
from radmm.study.component_json import to_json
from radmm.study.noise_budget import NoiseBudget
from radmm.study.setting_facts import network_of
from radmm.study.settings import Setting

USUAL_DELTA = 1e-5
FAILED = (
    "the release failed after rows were read: nothing is written, and nothing more is told, as it might tell of them"
)


@dataclass(frozen=True)
class DeclaredRelease:
    """A release of a setting that is ready to run.

    Args:
        setting: The setting.
        table: Its data section, of which every number is declared.
        planned: The planned run.
        label: The privacy label, which is known before any row is read.
    """

    setting: Setting
    table: OwnTable
    planned: PlannedRun
    label: JsonObject

    def run(self) -> PublicRelease:
        """Read the rows, train once, and return the release; no message tells of a row."""
        declared = DeclaredTable.of(self.table)
        (path,) = self.table.paths(Path())
        wanted = [declared.label, *declared.columns]
        columns = read_columns(path, self.table.field_separator, wanted, self.table.ignore, self._rows)
        with telling_nothing():
            weights = self.planned.train(self._problem(declared, columns))
        classifier = self.planned.classifier(weights)
        named = replace(classifier, columns=tuple(declared.features), classes=tuple(declared.class_names))
        return PublicRelease(named, self.label)

    @property
    def _rows(self) -> int:
        assert self.table.rows is not None  # noqa: S101 (check_table has looked)
        return self.table.rows

    def _problem(self, declared: DeclaredTable, columns: Mapping[str, list[str]]) -> Problem:
        setting, facts = self.setting, self.planned.facts
        train = training_rows(self._rows, setting.split.train, setting.split.seed)
        labels, usable = declared.labels(columns[declared.label])
        features = declared.encode(columns) * usable[:, None]
        nowhere = TrainingRows(np.zeros(len(train)))  # a partition by position sees no label
        owner = spread_rows(setting.partition, nowhere, facts.nodes)
        parameters = setting.problem
        return Problem(
            features[train],
            labels[train],
            owner,
            self.planned.loss,
            parameters.C,
            parameters.rho,
            parameters.weighting,
            len(declared.class_names),
        )


def plan_setting(
    setting: Setting, delta: float | None = None, neighbours: str | None = None, rows: int | None = None
) -> DeclaredRelease:
    """Check and plan the release of a setting, or refuse it in one sentence; no row is read.

    Args:
        delta: δ of the label; that of the setting's budget, or 1e-5, if not given.
        neighbours: Neighbouring relation; that of the setting's budget, or replace, if not given.
        rows: Rows that one person may have; those of the setting's budget, or 1, if not given.
    """
    request = setting.noise if isinstance(setting.noise, NoiseBudget) else None
    check_noise_for_release(setting.noise_at_any_scale)
    table = check_table(setting.data)
    check_run(setting)
    declared, network = DeclaredTable.of(table), network_of(setting)
    counts = known_counts(setting.partition, setting.split.train, network.nodes)
    assert counts is not None  # noqa: S101 (partitions by position know)
    loss = setting.problem.loss.for_classes(len(declared.class_names))
    problem, entries = setting.problem, len(declared.features) * loss.outputs
    facts = PublicFacts.of(
        loss, problem.C, problem.rho, counts, network.degrees, entries, problem.weighting, setting.tolerance
    )
    if request:  # of what the caller leaves out
        delta = request.delta if delta is None else delta
        neighbours = request.neighbours if neighbours is None else neighbours
        rows = request.rows if rows is None else rows
    spendable = USUAL_DELTA if delta is None else delta
    relation = Relation.named(Neighbours.REPLACE if neighbours is None else neighbours, 1 if rows is None else rows)

    def planning(noise: Noise) -> PlannedRun:
        return plan_release(loss, facts, network, setting.algorithm, noise, setting.iterations, relation)

    if request:
        noise = meet_budget(request, spendable, lambda tried: planning(tried).plan, network.nodes)
    else:
        noise = check_noise_for_release(setting.known_noise)
    warn_of_divergence(facts, network, setting.algorithm)
    planned = planning(noise)
    run = setting.algorithm, setting.iterations
    label = make_label(planned.plan, facts, *run, spendable, DECLARED, _recipe(setting, declared))
    return DeclaredRelease(setting, table, planned, label)


def _recipe(setting: Setting, declared: DeclaredTable) -> JsonObject:
    return {
        "weighting": setting.problem.weighting.value,
        "network": to_json(setting.network),
        "partition": to_json(setting.partition),
        "split": {"train": setting.split.train, "seed": setting.split.seed},
        "data": declared.to_json(),
    }


@contextmanager
def telling_nothing() -> Iterator[None]:
    """Replace every error in this block by one sentence that tells of no row."""
    try:
        yield
    except Exception:
        raise InputError(FAILED) from None
