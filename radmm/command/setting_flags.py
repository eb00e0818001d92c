"""Flags that describe a setting: a section of the config in one word, like `mr-admm,gamma=0.5`."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.json_object import JsonObject
from radmm.privacy.noise_laws import Law
from radmm.study.grids import merge
from radmm.study.raw_values import DEEPEST

# Each section's flag, with the field that a word without `=` is the value of.
SECTIONS = {"data": "name", "network": "law", "partition": "law", "loss": "name", "algorithm": "name", "noise": "kind"}
FIELDS = {name: f"problem.{name}" for name in ("C", "rho", "weighting")} | {
    name: f"split.{name}" for name in ("train", "test")
}


def section(flag: str, text: str) -> Any:
    """Parse a flag's value: `ring,nodes=5` becomes {law: ring, nodes: 5}.

    A dot names a nested field: `penalty.ratio=1.04`.

    Args:
        flag: Name of the flag, without the dashes.
        text: Value as it was typed.
    """
    written: JsonObject = {}
    paths: list[str] = []
    for place, item in enumerate(_items(text)):
        name, equals, value = item.partition("=")
        if not equals and place:
            raise InputError(f"--{flag} {shown(text)}: must be NAME,FIELD=VALUE,… but {shown(item)} has no =")
        path = name.strip() if equals else SECTIONS[flag]
        paths.append(path)
        if _is_twice(paths):
            raise InputError(f"--{flag} {shown(text)}: must give {path} once")
        written = merge(written, assigned(path, scalar(value) if equals else item.strip()))
    if flag == "noise" and "sigma" in written:
        written.setdefault("law", Law.GAUSSIAN.value)  # σ alone tells it, as in Python
    return written[SECTIONS[flag]] if flag in ("data", "loss") and list(written) == [SECTIONS[flag]] else written


def assigned(path: str, value: Any) -> JsonObject:
    """Return the nested mapping {a: {b: value}} for the path a.b.

    Args:
        path: Names with dots between them.
    """
    keys = path.split(".")
    if not all(re.fullmatch(r"\w+", key) for key in keys):
        raise InputError(f"{path!r} is no field: must be names with dots between them, like problem.rho")
    tree: Any = reduce(lambda below, key: {key: below}, reversed(keys), value)
    return dict(tree)


def scalar(text: str) -> Any:
    """Parse a number, true, false, null or a list as JSON has them; anything else is text.

    Texts in a list need no quotes: [low,high].

    Args:
        text: Value as it was typed.
    """
    try:
        return json.loads(text)
    except ValueError:
        return _unquoted_list(text.strip()) if text.strip().startswith("[") else text.strip()
    except RecursionError:
        raise InputError(f"{shown(text)}: must have at most {DEEPEST} lists or sections within each other") from None


def _unquoted_list(text: str) -> list[Any]:
    """Parse a list with texts that have no quotes."""
    if text.count("[") > DEEPEST:
        raise InputError(f"{shown(text)}: must have at most {DEEPEST} lists within each other")
    if not text.endswith("]") or text.count("[") != text.count("]"):
        raise InputError(f"{shown(text)}: must be a list like [1,2] or [low,high]")
    return [scalar(item) for item in _items(text[1:-1])]


def _is_twice(paths: Sequence[str]) -> bool:
    """Return whether the last of some fields, or a part of it, was given before, which would be ambiguous."""
    *before, last = paths
    return any(f"{last}.".startswith(f"{each}.") or f"{each}.".startswith(f"{last}.") for each in before)


def _items(text: str) -> Iterator[str]:
    """Yield the items between commas that stand in no brackets."""
    start = depth = 0
    for place, character in enumerate(f"{text},"):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if (character == "," and depth <= 0) or place == len(text):
            if text[start:place].strip():
                yield text[start:place]
            start = place + 1


def written(given: Any) -> JsonObject:
    """Return the flags as a config's setting would be written.

    Args:
        given: Parsed flags; a flag that the command doesn't have is ignored.
    """
    said: JsonObject = {}
    for flag in SECTIONS:
        text = getattr(given, flag, None)
        if text is not None:
            where = "problem.loss" if flag == "loss" else flag
            said = merge(said, assigned(where, None if text == "none" else section(flag, text)))
    for flag, path in FIELDS.items():
        value = getattr(given, flag, None)
        said = said if value is None else merge(said, assigned(path, value))
    for name in ("iterations", "runs", "seed"):
        value = getattr(given, name, None)
        said = said if value is None else merge(said, {name: value})
    paths: list[str] = []
    for text in given.set:
        path, equals, value = text.partition("=")
        paths.append(path.strip())
        if _is_twice(paths):
            raise InputError(f"--set {shown(text)}: must give {path.strip()} once")
        if not equals:
            raise InputError(f"--set {text}: must be FIELD=VALUE, like problem.rho=0.5")
        said = merge(said, assigned(path.strip(), scalar(value)))
    return said


def add_setting_flags(parser: Any) -> None:
    """Add the flags that describe a setting, all but its data."""
    group = parser.add_argument_group(
        "the setting",
        "Write a section as its name and then its fields, as in the config: mr-admm,penalty.ratio=1.04,gamma=0.5. "
        "Flags override the entry of the config, if one is given.",
    )
    group.add_argument("--algorithm", metavar="NAME,…", help="algorithm: admm, m-admm, r-admm, mr-admm, …")
    group.add_argument("--noise", metavar="KIND,…", help="noise with alpha= or sigma=: objective, penalty, …; or none")
    group.add_argument("--network", metavar="LAW,…", help="network, such as ring,nodes=5")
    group.add_argument("--loss", metavar="NAME,…", help="loss (default: logistic)")
    group.add_argument("--C", type=float, metavar="C", help="weight of the loss; at most the rows of the smallest node")
    group.add_argument("--rho", type=float, metavar="ρ", help="weight of the regulariser")
    group.add_argument(
        "--weighting", metavar="WHAT", help="weight every node equally (nodes, as in the paper) or every row (rows)"
    )
    group.add_argument(
        "--iterations", type=int, metavar="T", help="number of iterations (default: the config's, or 50)"
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="any other field of the setting; may be repeated",
    )
    group.add_argument(
        "--setting", metavar="NAME", help="entry of the config: experiment/label, or the id of a setting"
    )
    group.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="config to merge over config/config.yaml; may be repeated",
    )
    group.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE",
        help="Python file with components of your own; it is executed",
    )
