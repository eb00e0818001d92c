"""What is public about a setting and known without data: its network, the rows of each node, what is asked of them."""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.partition import check_sizes, known_counts, make_partition
from radmm.data.source import DataSource, make_source
from radmm.data.topology import make_edges
from radmm.model.facts import TOLERANCE, PublicFacts
from radmm.model.losses.loss import Loss
from radmm.model.network import Network
from radmm.model.weighting import Weighting, check_constants
from radmm.privacy.query_log import QueryLog, record_queries
from radmm.study.settings import Parameters, build_algorithm, build_loss, canonical, data_name

MOST_TRACED = 10_000_000  # rows of a trace, each with a dozen numbers: a gigabyte
MOST_ITERATES = 200_000_000  # numbers in the iterates of all nodes and runs, of which some copies are kept

T = TypeVar("T")
_KEPT: list[Callable[[], None]] = []


def kept(function: Callable[..., T]) -> Callable[..., T]:
    """Answers of a function that a config's text alone decides while the config is read, and are kept until the next.

    Args:
        function: With arguments that can be hashed.
    """
    answers = lru_cache(maxsize=1024)(function)
    _KEPT.append(answers.cache_clear)
    return answers


def forget() -> None:
    """The same text may mean something else by now: a network's or a table's file may have changed."""
    for clear in _KEPT:
        clear()


def network_of(parameters: Parameters) -> Network:
    """The setting's network; equal sections share one.

    Args:
        parameters: Of a setting.
    """
    return _network(canonical(parameters["network"]))


@kept
def _network(section: str) -> Network:
    return Network.from_edges(make_edges(json.loads(section)))


def source_of(parameters: Parameters) -> DataSource:
    """The setting's data set; equal sections share one.

    Args:
        parameters: Of a setting.
    """
    return _source(canonical(parameters["data"]))


@kept
def _source(section: str) -> DataSource:
    return make_source(json.loads(section))


def notes_of(parameters: Parameters, iterations: int | None = None) -> QueryLog:
    """What the setting's algorithm asks of the oracle.

    Args:
        parameters: Of a setting.
        iterations: In the first so many iterations; in all if not given.
    """
    return record_queries(build_algorithm(parameters), network_of(parameters), iterations or parameters["iterations"])


def known_row_counts(parameters: Parameters) -> Integers | None:
    """B_i, or None where the partition needs the data to tell.

    Args:
        parameters: Of a setting.
    """
    nodes = network_of(parameters).nodes
    return _known_row_counts(canonical(parameters["partition"]), parameters["split"]["train"], nodes)


@kept
def _known_row_counts(section: str, rows: int, nodes: int) -> Integers | None:
    return known_counts(make_partition(json.loads(section)), rows, nodes)


def loss_of(parameters: Parameters) -> Loss:
    """The setting's loss, for as many classes as its data have.

    Args:
        parameters: Of a setting.
    """
    return build_loss(parameters).for_classes(source_of(parameters).size().classes)


def facts_of(parameters: Parameters, row_counts: Integers) -> PublicFacts:
    """The facts that privacy bounds depend on.

    Args:
        parameters: Of a setting.
        row_counts: B_i, one a node.
    """
    problem = parameters["problem"]
    weighting = Weighting(problem.get("weighting", Weighting.NODES))  # what was stored earlier has none
    check_constants(problem["C"], problem["rho"], row_counts, weighting)
    loss = loss_of(parameters)
    return PublicFacts.of(
        loss,
        problem["C"],
        problem["rho"],
        row_counts,
        network_of(parameters).degrees,
        source_of(parameters).size().features * loss.outputs,
        weighting,
        parameters.get("tolerance", TOLERANCE),  # nor this
    )


def known_facts(parameters: Parameters) -> PublicFacts | None:
    """The same as far as no data are needed for it; settings that differ in nothing public share them.

    Args:
        parameters: Of a setting.
    """
    public = ("data", "split", "network", "partition", "problem", "tolerance")
    return _known_facts(canonical({name: parameters[name] for name in public if name in parameters}))


@kept
def _known_facts(public: str) -> PublicFacts | None:
    parameters: dict[str, Any] = json.loads(public)
    row_counts = known_row_counts(parameters)
    return None if row_counts is None else facts_of(parameters, row_counts)


def check_size(parameters: Parameters) -> None:
    """Refuse what no memory could hold: the trace's rows, and the iterates of all nodes and runs.

    Args:
        parameters: Of a setting.
    """
    runs, iterations = parameters["runs"], parameters["iterations"]
    if runs * (iterations + 1) > MOST_TRACED:
        raise InputError(
            f"runs = {runs} and iterations = {iterations}: must have a product of at most {MOST_TRACED}, "
            "as all rows of a trace are held in memory"
        )
    nodes = network_of(parameters).nodes
    entries = source_of(parameters).size().features * loss_of(parameters).outputs
    if runs * nodes * entries > MOST_ITERATES:
        raise InputError(
            f"runs = {runs}: with {nodes} nodes of {entries} variables each, must be at most "
            f"{MOST_ITERATES // (nodes * entries)}, as the iterates of all runs are held in memory"
        )


def check_split(parameters: Parameters) -> None:
    """Refuse more rows than the data set has, and fewer than there are nodes.

    Args:
        parameters: Of a setting.
    """
    split, rows = parameters["split"], source_of(parameters).size().rows
    if split["train"] + (split["test"] or 1) > rows:
        raise InputError(
            f"split.train = {split['train']} and split.test = {split['test']}: "
            f"{data_name(parameters)} has {rows} rows, so together they must be at most that"
        )
    check_sizes(split["train"], network_of(parameters).nodes)
