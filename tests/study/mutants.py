"""Configs with something odd in them: a stranger's mistakes, and worse."""

import copy
import math
import random

LOUD = "a" * 1_000_000
NUMBERS = [
    0,
    -1,
    1,
    2,
    3,
    100_000,
    10**9,
    2**63,
    10**30,
    -(10**30),
    10**400,
    0.0,
    -0.0,
    0.5,
    1.5,
    1e-320,
    1e300,
    -1e300,
]
NUMBERS += [math.inf, -math.inf, math.nan]
NAMES = ["", " ", "x", "admm", "r-admm", "objective", "gaussian", "ring", "softmax", "nan", "1e-3", "{x}", "a{0}b"]
NAMES += [
    "{wildcards.x}",
    "../../etc/passwd",
    "/dev/zero",
    "https://localhost:1/x",
    "a\nb",
    "\x00",
    "\ud800",
    "é" * 300,
    LOUD,
]
LISTS = [[], [[]], [1], [1, 1], [None], [0.1, 0.2, 0.3], ["x", 1], list(range(5000))]
SECTIONS = [
    {},
    {"x": 1},
    {1: 2},
    {None: 1},
    {(1, 2): 3},
    {"per_node": [1, 2]},
    {"per_node": []},
    {"scale": 1, "ratio": 1.04},
    {"law": "ring"},
    {"law": "complete", "nodes": 100_000},
    {"law": "file", "path": "/dev/zero"},
    {"law": "erdos-renyi", "nodes": 10**9, "probability": 1.0, "seed": 0},
    {"name": "admm"},
    {"name": "synthetic", "rows": 10**12, "features": 10**6},
    {"kind": "objective", "alpha": 1.0},
    {"kind": "output", "sigma": 1e-320},
    {"train": 10**18, "test": 1, "seed": 0},
    {"file": "/dev/zero", "label": "x", "positive": "1"},
]
ODD = [None, True, False, *NUMBERS, *NAMES, *LISTS, *SECTIONS, b"bytes", {1, 2}, (1, 2)]
KEYS = ["", "x", "a\nb", "{x}", "audit", "../x", "\ud800", "a" * 300, 1, None, True, 1.5, ("a", "b"), "n", "name"]
KEYS += ["settings"]


def places(tree, path=()):
    """The paths of all values in a config."""
    if len(path) > 9:  # it may contain itself
        return
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield (*path, key)
            yield from places(value, (*path, key))
    elif isinstance(tree, list) and path:
        for index, value in enumerate(tree[:5]):
            yield (*path, index)
            yield from places(value, (*path, index))


def mutant(config, seed):
    """A copy of the config with one to three changes.

    Args:
        config: That can be used.
        seed: Which changes.
    """
    draw, changed = random.Random(seed), copy.deepcopy(config)  # noqa: S311
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        *way, last = draw.choice(list(places(changed)))
        parent = changed
        for key in way:
            parent = parent[key]
        how = draw.choice(["value", "value", "value", "remove", "key", "list", "inside", "self"])
        if how == "remove" or not isinstance(parent, dict):
            parent[last] = copy.deepcopy(draw.choice(ODD))
            if how == "remove":
                del parent[last]
        elif how == "key":
            parent[draw.choice(KEYS)] = parent.pop(last)
        elif how == "list":
            parent[last] = [parent[last], draw.choice(ODD)]
        elif how == "inside":
            parent[last] = {draw.choice(KEYS): parent[last]}
        elif how == "self":
            parent[last] = changed if draw.random() < 0.2 else parent
        else:
            parent[last] = copy.deepcopy(draw.choice(ODD))
    return changed
