"""Public facts of settings, known without data: network, rows of each node, queries of the data."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Concatenate, ParamSpec, TypeVar

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.partition import check_sizes, known_counts
from radmm.data.source import Size
from radmm.data.topology import draw_edges
from radmm.model.losses.loss import Loss
from radmm.model.network import Network
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import check_constants
from radmm.privacy.query_log import QueryLog, record_queries
from radmm.study.component_json import content_key
from radmm.study.settings import Setting

MOST_TRACED = 10_000_000  # rows of a trace, each with a dozen numbers: a gigabyte
MOST_ITERATES = 200_000_000  # numbers in the iterates of all nodes and runs, of which some copies are kept

T = TypeVar("T")
P = ParamSpec("P")
_CLEAR: list[Callable[[], None]] = []


@dataclass(frozen=True)
class _CacheKey:
    """Cache key of a setting: settings are equal if they agree in the fields that matter."""

    key: Hashable
    setting: Setting = field(compare=False)


def cached_by(
    *names: str,
) -> Callable[[Callable[Concatenate[Setting, P], T]], Callable[Concatenate[Setting, P], T]]:
    """Cache a function of a setting by the named fields until the next config is read.

    Args:
        names: Fields of a setting on which the answer depends.
    """

    def decorate(function: Callable[Concatenate[Setting, P], T]) -> Callable[Concatenate[Setting, P], T]:
        @lru_cache(maxsize=1024)
        def answer(asked: _CacheKey, *others: Any, **options: Any) -> T:
            return function(asked.setting, *others, **options)

        def ask(setting: Setting, /, *others: P.args, **options: P.kwargs) -> T:
            key = tuple(content_key(getattr(setting, name)) for name in names)
            return answer(_CacheKey(key, setting), *others, **options)  # type: ignore[arg-type]

        ask.__doc__ = function.__doc__
        _CLEAR.append(answer.cache_clear)
        return ask

    return decorate


def clear_caches() -> None:
    """Clear the caches: a network's or a table's file may have changed since the last config was read."""
    for clear in _CLEAR:
        clear()


@cached_by("network")
def network_of(setting: Setting) -> Network:
    """Return a setting's network, drawn once for all settings that share it."""
    return Network.from_edges(draw_edges(setting.network))


@cached_by("network")
def network_size(setting: Setting) -> tuple[int, float]:
    """Return the number of nodes and the approximate number of edges, without drawing the network."""
    return setting.network.size()


@cached_by("data")
def size_of(setting: Setting) -> Size:
    """Return the size of a setting's data set."""
    return setting.data.size()


def query_log_of(setting: Setting, iterations: int | None = None) -> QueryLog:
    """Return the queries that a setting's algorithm makes of the oracle.

    Args:
        iterations: Number of iterations; all of the setting's if not given.
    """
    return record_queries(setting.algorithm, network_of(setting), iterations or setting.iterations)


@cached_by("partition", "split", "network")
def known_row_counts(setting: Setting) -> Integers | None:
    """Return the number of rows B_i of each node, or None where the partition depends on the data."""
    return known_counts(setting.partition, setting.split.train, network_of(setting).nodes)


def loss_of(setting: Setting) -> Loss:
    """Return a setting's loss, for the number of classes of its data."""
    return setting.problem.loss.for_classes(size_of(setting).classes)


def facts_of(setting: Setting, row_counts: Integers) -> PublicFacts:
    """Return the public facts on which privacy bounds depend.

    Args:
        row_counts: Number of rows B_i of each node.
    """
    problem = setting.problem
    check_constants(problem.C, problem.rho, row_counts, problem.weighting)
    loss = loss_of(setting)
    return PublicFacts.of(
        loss,
        problem.C,
        problem.rho,
        row_counts,
        network_of(setting).degrees,
        size_of(setting).features * loss.outputs,
        problem.weighting,
        setting.tolerance,
    )


@cached_by("data", "split", "network", "partition", "problem", "tolerance")
def known_facts(setting: Setting) -> PublicFacts | None:
    """Return the public facts on which privacy bounds depend, or None where the nodes' rows depend on the data."""
    row_counts = known_row_counts(setting)
    return None if row_counts is None else facts_of(setting, row_counts)


def check_size(setting: Setting) -> None:
    """Refuse settings whose trace or iterates would not fit into memory."""
    runs, iterations = setting.runs, setting.iterations
    if runs * (iterations + 1) > MOST_TRACED:
        raise InputError(
            f"runs = {runs} and iterations = {iterations}: must have a product of at most {MOST_TRACED}, "
            "as all rows of a trace are held in memory"
        )
    nodes = network_of(setting).nodes
    entries = setting.algorithm.numbers_kept(size_of(setting).features * loss_of(setting).outputs)
    if runs * nodes * entries > MOST_ITERATES:
        raise InputError(
            f"runs = {runs}: with {nodes} nodes of {entries} variables each, must be at most "
            f"{MOST_ITERATES // (nodes * entries)}, as the iterates of all runs are held in memory"
        )


def check_split(setting: Setting) -> None:
    """Refuse a split into more rows than the data set has, or into fewer than there are nodes."""
    split, rows = setting.split, size_of(setting).rows
    if split.train + (split.test or 1) > rows:
        raise InputError(
            f"split.train = {split.train} and split.test = {split.test}: "
            f"{setting.data_name} has {rows} rows, so together they must be at most that"
        )
    check_sizes(split.train, network_of(setting).nodes)
