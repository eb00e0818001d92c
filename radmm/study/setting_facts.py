"""What is public about a setting and known without data: its network, the rows of each node, what is asked of them."""

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
_KEPT: list[Callable[[], None]] = []


@dataclass(frozen=True)
class _Asked:
    """A setting, equal to all others that have the same values in the fields that matter."""

    key: Hashable
    setting: Setting = field(compare=False)


def kept(
    *names: str,
) -> Callable[[Callable[Concatenate[Setting, P], T]], Callable[Concatenate[Setting, P], T]]:
    """Compute an answer once for all settings that agree in the named fields, and keep it until the next config.

    Args:
        names: The fields of a setting on which the answer depends.
    """

    def decorate(function: Callable[Concatenate[Setting, P], T]) -> Callable[Concatenate[Setting, P], T]:
        @lru_cache(maxsize=1024)
        def answer(asked: _Asked, *others: Any, **options: Any) -> T:
            return function(asked.setting, *others, **options)

        def ask(setting: Setting, /, *others: P.args, **options: P.kwargs) -> T:
            key = tuple(content_key(getattr(setting, name)) for name in names)
            return answer(_Asked(key, setting), *others, **options)  # type: ignore[arg-type]

        ask.__doc__ = function.__doc__
        _KEPT.append(answer.cache_clear)
        return ask

    return decorate


def forget() -> None:
    """Drop all answers that were kept: a network's or a table's file may have changed since the last config."""
    for clear in _KEPT:
        clear()


@kept("network")
def network_of(setting: Setting) -> Network:
    """The setting's network, drawn once for all settings that have it.

    Args:
        setting: Any setting.
    """
    return Network.from_edges(draw_edges(setting.network))


@kept("network")
def network_size(setting: Setting) -> tuple[int, float]:
    """Number of nodes, and about how many edges there are, without drawing them.

    Args:
        setting: Any setting.
    """
    return setting.network.size()


@kept("data")
def size_of(setting: Setting) -> Size:
    """How large the setting's data set is.

    Args:
        setting: Any setting.
    """
    return setting.data.size()


def query_log_of(setting: Setting, iterations: int | None = None) -> QueryLog:
    """What the setting's algorithm asks of the oracle.

    Args:
        setting: Any setting.
        iterations: How many iterations to run; all of them if not given.
    """
    return record_queries(setting.algorithm, network_of(setting), iterations or setting.iterations)


@kept("partition", "split", "network")
def known_row_counts(setting: Setting) -> Integers | None:
    """B_i, one a node, or None where the partition needs the data to tell.

    Args:
        setting: Any setting.
    """
    return known_counts(setting.partition, setting.split.train, network_of(setting).nodes)


def loss_of(setting: Setting) -> Loss:
    """The setting's loss, for as many classes as its data have.

    Args:
        setting: Any setting.
    """
    return setting.problem.loss.for_classes(size_of(setting).classes)


def facts_of(setting: Setting, row_counts: Integers) -> PublicFacts:
    """The facts that privacy bounds depend on.

    Args:
        setting: Any setting.
        row_counts: B_i, one a node.
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


@kept("data", "split", "network", "partition", "problem", "tolerance")
def known_facts(setting: Setting) -> PublicFacts | None:
    """The facts that privacy bounds depend on, or None where only the data tell how many rows a node has.

    Args:
        setting: Any setting.
    """
    row_counts = known_row_counts(setting)
    return None if row_counts is None else facts_of(setting, row_counts)


def check_size(setting: Setting) -> None:
    """Refuse what no memory could hold: the trace's rows, and the iterates of all nodes and runs.

    Args:
        setting: Any setting.
    """
    runs, iterations = setting.runs, setting.iterations
    if runs * (iterations + 1) > MOST_TRACED:
        raise InputError(
            f"runs = {runs} and iterations = {iterations}: must have a product of at most {MOST_TRACED}, "
            "as all rows of a trace are held in memory"
        )
    nodes = network_of(setting).nodes
    entries = size_of(setting).features * loss_of(setting).outputs
    if runs * nodes * entries > MOST_ITERATES:
        raise InputError(
            f"runs = {runs}: with {nodes} nodes of {entries} variables each, must be at most "
            f"{MOST_ITERATES // (nodes * entries)}, as the iterates of all runs are held in memory"
        )


def check_split(setting: Setting) -> None:
    """Refuse more rows than the data set has, and fewer than there are nodes.

    Args:
        setting: Any setting.
    """
    split, rows = setting.split, size_of(setting).rows
    if split.train + (split.test or 1) > rows:
        raise InputError(
            f"split.train = {split.train} and split.test = {split.test}: "
            f"{setting.data_name} has {rows} rows, so together they must be at most that"
        )
    check_sizes(split.train, network_of(setting).nodes)
