"""Estimates of a setting's time and memory before it runs, so that settings can be put into jobs of a sensible size."""

from collections.abc import Iterable

import numpy as np

from radmm.data.partitions.even import Even
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.noise_laws import Law
from radmm.privacy.query_log import ArgminQuery
from radmm.study.budgets import budget_of, requested
from radmm.study.searches import Search
from radmm.study.setting_facts import known_row_counts, network_size, query_log_of, size_of
from radmm.study.settings import Setting

# Seconds of one core and megabytes, as measured on Adult with the compiled kernel; docs/cluster.md compares them with
# what jobs really took. Only their order of magnitude matters: batches are cut by them, and a limit has room to spare.
PROCESS_SECONDS = 0.5  # to start a process and read the data
_SETTING = 0.06  # to find the centralised optimum and write the trace of a setting
_ROW, _ROW_RUN, _NODE_RUN = 1e-7, 2.5e-8, 3e-5  # for a row, a row in a run and a node in a run, at a data-touching step
_WITHOUT_NOISE = 0.7  # share of the time for rows that is left without noise, as argmins begin near the last ones
_OF_GRADIENT = 0.2  # share of an argmin's time that a gradient takes, which is one pass
_EDGE_RUN = 4e-8  # for an edge in a run, at every iteration
_MATRIX_RUN = 5e-7  # for each number that a node keeps beyond those of f, in a run, at every iteration
_PROCESS_MB = 150  # for the interpreter, libraries and the data set
_ROW_KB, _NODE_KB, _NODE_RUN_KB = 1.5, 250, 15
# Tables and the claims: each noise is accounted for; statistics have a row for each metric of each iteration.
_TABLE_SETTING, _TABLE_NOISE = 0.1, 0.7
_TABLE_MB, _TABLE_ITERATION_KB = 300, 4
# Searches for noise: a total bound has a formula; for a total ε an accountant is asked some twenty times.
_BOUND, _BUDGET, _BUDGET_CURVES = 0.1, 0.2, 20.0
_TRIED = 20  # iterations in which an algorithm shows how often it touches the data

_data_shares: dict[type, float] = {}  # share of iterations that touch the data, by algorithm


def estimated_seconds(setting: Setting) -> float:
    """Estimate the seconds of solving a setting."""
    rows, runs = setting.split.train, setting.runs
    nodes, edges = network_size(setting)
    node_run = _NODE_RUN * _matrix_share(setting, nodes)
    reading = (_ROW + _ROW_RUN * runs) * (_WITHOUT_NOISE if setting.noise is None else 1.0)
    share = 1.0 if _asks_for_argmins(setting) else _OF_GRADIENT
    solving = data_steps(setting) * share * (rows * reading + nodes * runs * node_run)
    features = size_of(setting).features
    beyond = nodes * (setting.algorithm.numbers_kept(features) - features)
    sent = edges * setting.algorithm.sends(1, features).numbers / features
    sent = min(sent, edges + nodes**2)  # many rounds of gossip are one product with a full matrix
    return float(_SETTING + solving + setting.iterations * runs * (sent * _EDGE_RUN + beyond * _MATRIX_RUN))


def data_steps(setting: Setting) -> float:
    """Estimate how many of a setting's iterations touch the data, from the share among the first few.

    Args:
        setting: Setting; other parameters of the same algorithm are assumed to touch the data as often.
    """
    kind = type(setting.algorithm)
    if kind not in _data_shares:
        _data_shares[kind] = len(query_log_of(setting, _TRIED).queries) / _TRIED
    return float(_data_shares[kind] * setting.iterations)


def _asks_for_argmins(setting: Setting) -> bool:
    return any(isinstance(query, ArgminQuery) for query in query_log_of(setting, 1).queries)


def estimated_megabytes(settings: Iterable[Setting], processes: int = 1) -> float:
    """Estimate the peak memory (MB) of processes that solve settings one after the other: that of the largest.

    Args:
        settings: Settings.
        processes: Number of processes that share out the rows of a setting, all together.
    """
    return processes * _PROCESS_MB + max(_kilobytes(setting) for setting in settings) / 1024


def table_seconds(settings: int, noises: int) -> float:
    """Estimate the seconds of a step that reads the traces of settings and accounts for their noise, without curves.

    Args:
        noises: Number of noises to account for; settings of one search share theirs.
    """
    return _TABLE_SETTING * settings + _TABLE_NOISE * noises


def table_megabytes(settings: Iterable[Setting]) -> float:
    """Estimate the memory (MB) of a step that reads the traces of settings and accounts for their noise."""
    return float(_TABLE_MB + sum((setting.iterations + 1) * _TABLE_ITERATION_KB for setting in settings) / 1024)


def search_seconds(search: Search) -> float:
    """Estimate the seconds of a search for noise: long ones make curves of exponential-norm noise."""
    request = requested(search.draws[0])
    if request.total_epsilon is None:
        return _BOUND * len(search.draws)
    slow = ACCOUNTANTS[budget_of(request).accountant]().quick() and request.unit.law == Law.EXPONENTIAL_NORM
    return (_BUDGET_CURVES if slow else 0.0) + _BUDGET * len(search.draws)


def _kilobytes(setting: Setting) -> float:
    rows, (nodes, _) = setting.split.train, network_size(setting)
    node, features = _NODE_KB * _matrix_share(setting, nodes), size_of(setting).features
    kept = setting.algorithm.numbers_kept(features) / features
    return float(rows * _ROW_KB + nodes * (node + setting.runs * kept * _NODE_RUN_KB))


def _matrix_share(setting: Setting, nodes: int) -> float:
    """Return the size of a node's matrices as a share of the largest, as they are smaller with fewer rows than
    features.

    It is the nodes' mean where their numbers of rows are known; else these are taken to be equal.
    """
    rows, features = setting.split.train, size_of(setting).features
    counts = None if isinstance(setting.partition, Even) else known_row_counts(setting)
    if counts is None:
        return float(min(1.0, rows / (nodes * features))) ** 2
    return float((np.minimum(1.0, counts / features) ** 2).mean())
