"""Files of a setting whose nodes are spread over processes: what is public, and each node's rows in a file of its own.

Partitions look at the labels of all rows, so one step deals them out before any process reads the rows of its nodes.
Test rows and the centralised optimum are for metrics, and stand in a file that a solve without metrics doesn't open.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.store import replacing, write_text
from radmm.data.partition import spread_rows
from radmm.jobs.steps.solve import Inputs
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.cancelling_noise import pairs_of
from radmm.result import TestSet
from radmm.study.settings import Setting

PUBLIC, RESEARCH = "public.json", "research.npz"


def write_nodes(folder: Path, setting: Setting, inputs: Inputs, facts: JsonObject) -> None:
    """Write the files of a setting.

    Args:
        setting: Setting with calibrated noise.
        inputs: Inputs with which the setting is solved.
        facts: Further facts, for the summary of a solve.
    """
    data, train = inputs.data, inputs.split.train
    rows = data.training_rows(inputs.split)
    owner = spread_rows(setting.partition, rows, inputs.network.nodes)
    _, optimum = inputs.problem(setting)
    public = {
        "setting": setting.to_json(),
        "hashes": inputs.hashes,
        "caveat": data.caveat,
        "classes": data.classes,
        "row_counts": np.bincount(owner).tolist(),
        "edges": pairs_of(inputs.network).tolist(),
        "facts": facts,
    }
    write_text(folder / PUBLIC, json.dumps(public, ensure_ascii=False))
    for node in range(inputs.network.nodes):
        _write_rows(folder / _name(node), data.features[train[owner == node]], rows.labels[owner == node])
    test = inputs.split.test
    _write_rows(folder / RESEARCH, data.features[test], data.labels[test], optimum=optimum)


@dataclass(frozen=True)
class NodeFiles:
    """Files that `write_nodes` wrote.

    Args:
        folder: Their folder.
    """

    folder: Path

    @cached_property
    def public(self) -> JsonObject:
        """Public facts: setting, network, numbers of rows, and hashes of the inputs."""
        path = self.folder / PUBLIC
        if not path.is_file():
            raise InputError(f"{self.folder}: must be a folder that radmm partition wrote, with {PUBLIC}")
        facts: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        return facts

    @cached_property
    def setting(self) -> Setting:
        """The setting, with calibrated noise."""
        return Setting.from_json(self.public["setting"])

    @property
    def nodes(self) -> int:
        """Number of nodes N."""
        return len(self.public["row_counts"])

    @cached_property
    def network(self) -> Network:
        """Network of all nodes."""
        return Network.from_edges(np.array(self.public["edges"], dtype=np.int64).reshape(-1, 2))

    def problem(self, nodes: Iterable[int]) -> Problem:
        """Return the problem with the rows of some of the nodes; no other node's file is opened.

        Args:
            nodes: Numbers of the nodes.
        """
        parts = {node: _read_rows(self.folder / _name(node)) for node in nodes}
        features = scipy.sparse.vstack([part["features"] for part in parts.values()], format="csr")
        owner = np.repeat(list(parts), [part["features"].shape[0] for part in parts.values()])
        labels, given = np.concatenate([part["labels"] for part in parts.values()]), self.setting.problem
        counts = np.array(self.public["row_counts"])
        constants = given.loss, given.C, given.rho, given.weighting, self.public["classes"]
        return Problem(features, labels, owner, *constants, row_counts=counts)

    def research(self) -> tuple[TestSet, Array]:
        """Return test rows with labels, and the centralised optimum."""
        stored = _read_rows(self.folder / RESEARCH)
        return (stored["features"], stored["labels"]), stored["optimum"]


def _name(node: int) -> str:
    return f"node-{node}.npz"


def _write_rows(path: Path, features: scipy.sparse.csr_array, labels: Array, **further: Array) -> None:
    rows = scipy.sparse.csr_array(features)
    arrays: dict[str, Any] = {
        "data": rows.data,
        "indices": rows.indices,
        "indptr": rows.indptr,
        "shape": np.array(rows.shape),
    }
    with replacing(path) as temporary:
        np.savez(temporary, labels=labels, **arrays | further)


def _read_rows(path: Path) -> dict[str, Any]:
    with np.load(path) as stored:
        parts = {name: stored[name] for name in stored.files}
    arrays = tuple(parts.pop(name) for name in ("data", "indices", "indptr"))
    return {"features": scipy.sparse.csr_array(arrays, shape=tuple(parts.pop("shape"))), **parts}
