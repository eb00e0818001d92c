"""Published files as an attacker reads them: JSON, searched for whatever is in it, wherever it stands."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np

from radmm.base.arrays import Array
from radmm.base.json_object import JsonObject
from radmm.base.store import content_hash
from radmm.publication.public_release import LABEL
from radmm.publication.run import release
from radmm.results.audit.red_team.game import ALGORITHM, ALONE, Game, one_step

Document: TypeAlias = JsonObject
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


def weights_in(document: Document) -> Array:
    """Return the weights of the classifier in a published file."""
    return np.array(document["weights"], dtype=np.float64)


def seeds_in(document: Document) -> list[int]:
    """Return every number that stands under a name with "seed" in it."""
    return [value for name, value in _entries(document) if "seed" in name.lower() and type(value) is int]


def digests_in(document: Document) -> set[str]:
    """Return everything that looks like a SHA-256."""
    return {found for _, value in _entries(document) if isinstance(value, str) for found in DIGEST.findall(value)}


def _entries(content: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all plain values with the name that each stands under."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _entries(value, str(key))
    elif isinstance(content, list):
        for value in content:
            yield from _entries(value, name)
    else:
        yield name, content


def saved(save: Callable[[Path], None]) -> Document:
    """Return what a classifier's or release's `save` writes.

    Args:
        save: Method that writes to a path.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "published.json"
        save(path)
        document: Document = json.loads(path.read_text(encoding="utf-8"))
        return document


def research_file(game: Game, label: int, factor: float, seed: int) -> Document:
    """Return the file of a run's classifier, with seed, hash and ε as `radmm solve --save-classifier` writes it.

    Args:
        label: Label of row 0.
        factor: Noise, in units of the game's.
    """
    result = one_step(game, label, game.noise(factor), seed)
    made = {
        "parameters": {"seed": seed},
        "hashes": {"data": content_hash(game.features, game.table(label))},
        "privacy": result.epsilon().facts(),
    }
    return saved(replace(result.classifier(), made=made).save)


def release_file(game: Game, label: int, factor: float, _seed: int) -> Document:
    """Return the file of a release.

    Args:
        label: Label of row 0.
        factor: Noise, in units of the game's.
        _seed: Seed that a research file would have; a release has none.
    """
    return saved(release(game.problem(label), ALONE, ALGORITHM, game.noise(factor), iterations=1).save)


def claimed_in(document: Document) -> tuple[float, float]:
    """Return the total ε that a file promises, and its δ."""
    label = document["made"].get(LABEL)
    promise = document["made"]["privacy"] if label is None else label["privacy_loss"]
    return float(promise["total_epsilon" if label is None else "epsilon"]), float(promise["delta"])
