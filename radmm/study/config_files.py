"""Reading of config files: every key once, no endless aliases, and errors with their place."""

from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import yaml

from radmm.base.errors import Complaints, InputError, about
from radmm.base.inputs import shown
from radmm.base.json_object import JsonObject
from radmm.base.regular_files import read_regular
from radmm.study.grids import merge
from radmm.study.raw_values import DEEPEST
from radmm.study.table_places import with_folders

MOST_BYTES = 10_000_000  # a grid is written in lists, so no study needs more
MOST_VALUES = (
    1_000_000  # most values of a file with its aliases written out: a few lines can stand for more than memory holds
)


def read_configs(files: Iterable[Path], options: Mapping[str, Any] | None = None) -> JsonObject:
    """Lay config files over each other: the one that radmm ships, then the user's, then the command line's options.

    `shipped: false` in one of them leaves out the experiments and tuned studies of the first, so that those of the
    others stand alone.

    Args:
        files: Files in this order.
        options: Options of the command line, field by field.
    """
    first, *others = [read_config(file) for file in files]
    own: JsonObject = reduce(merge, [*others, options or {}], {})
    if own.get("shipped") in (False, "False", "false") and others:
        first = {key: value for key, value in first.items() if key not in ("experiments", "tuned")}
        del own["shipped"]
    return merge(first, own)


def read_config(file: Path) -> JsonObject:
    """Read one config file in YAML."""
    with about(str(file)):
        content = read_regular(file, MOST_BYTES)
        try:
            return dict(with_folders(_parse(content.decode("utf-8")), file))
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise InputError(f"line {line} is no UTF-8 text: must be a YAML file") from None
        except yaml.MarkedYAMLError as error:
            raise InputError(f"{_place(error.problem_mark)} is no YAML: {error.problem}") from None
        except RecursionError:
            raise InputError(f"must have at most {DEEPEST} sections or lists within each other") from None
        except (yaml.YAMLError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is no YAML: {' '.join(str(error).split())}") from None


def _parse(text: str) -> JsonObject:
    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return {}
        problems = Complaints()
        _unfolded(root, {}, problems)
        problems.raise_if_any()
        content = loader.construct_document(root)
    finally:
        loader.dispose()
    if not isinstance(content, dict):
        raise InputError(f"is {shown(content)}: must have sections, like `experiments:`")
    return content


def _unfolded(node: yaml.Node, known: dict[int, int], problems: Complaints) -> int:
    """Count the values that a node stands for with its aliases written out; refuse too many, and keys given twice."""
    if id(node) in known:
        if not known[id(node)]:
            raise InputError(f"{_place(node.start_mark)} contains itself: an alias must not stand in what it names")
        return known[id(node)]
    known[id(node)] = 0  # until all that is in it has been looked at
    parts: list[yaml.Node] = []
    if isinstance(node, yaml.MappingNode):
        _refuse_twice(node, problems)
        parts = [part for pair in node.value for part in pair]
    elif isinstance(node, yaml.SequenceNode):
        parts = node.value
    known[id(node)] = 1 + sum(_unfolded(part, known, problems) for part in parts)
    if known[id(node)] > MOST_VALUES:
        raise InputError(f"{_place(node.start_mark)} has more than {MOST_VALUES} values: must have at most so many")
    return known[id(node)]


def _refuse_twice(node: yaml.MappingNode, problems: Complaints) -> None:
    lines: dict[str, int] = {}
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
            line = key.start_mark.line + 1
            if key.value in lines:
                problems.add(f"line {line} has {shown(key.value)} again: line {lines[key.value]} has it already")
            lines.setdefault(key.value, line)


def _place(mark: Any) -> str:
    return "the file" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}"
