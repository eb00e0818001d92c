"""Checks of a setting before anything runs: what can't run, or has no proof, is refused."""

from collections.abc import Hashable

from radmm.base.errors import Complaints
from radmm.base.plugin_faults import is_plugin
from radmm.driver import warn_of_divergence
from radmm.model.public_facts import PublicFacts
from radmm.privacy.ledger import ledger_of
from radmm.privacy.proof_conditions import check_condition, check_pair, check_stated_bounds
from radmm.study.budgets import LONGEST_AT_ONCE, check_budget
from radmm.study.component_json import content_key
from radmm.study.setting_facts import (
    check_size,
    check_split,
    known_facts,
    loss_of,
    network_of,
    query_log_of,
    size_of,
)
from radmm.study.settings import Setting


def check_setting(setting: Setting, other: Setting | None) -> None:
    """Refuse a setting that can't run or whose guarantee wouldn't hold; an InputError has a sentence for each error.

    Args:
        other: Setting whose total bound it is to meet; None if it refers to none.
    """
    problems = Complaints()
    nodes = network_of(setting).nodes
    with problems.collect():
        setting.algorithm.check(nodes)
        _check_noise(setting, nodes)
    with problems.collect():
        size_of(setting)  # whatever the data are wanted for below, what is wrong with them is told once
        for check in (check_split, check_size, known_facts, _check_loss):
            with problems.collect():
                check(setting)
    problems.raise_if_any()
    if (facts := known_facts(setting)) is not None:
        warn_of_divergence(facts, network_of(setting), setting.algorithm)
        check_facts(setting, facts, other)
    with problems.collect():
        _rehearse_plugins(setting, facts)
    problems.raise_if_any()


def _rehearse_plugins(setting: Setting, facts: PublicFacts | None) -> None:
    """Call what estimates, searches and tables will call of plug-ins, so that code that fails is refused here.

    Args:
        facts: Public facts; None where the nodes' rows depend on the data.
    """
    if not any(map(is_plugin, setting.components)):
        return
    setting.algorithm.sends(1, size_of(setting).features)
    query_log = query_log_of(setting, min(setting.iterations, LONGEST_AT_ONCE))
    if facts is not None and (noise := setting.noise_at_any_scale) is not None:
        check_pair(setting.algorithm, query_log, noise)
        ledger_of(query_log, facts, noise)


def _check_noise(setting: Setting, nodes: int) -> None:
    noise = setting.noise_at_any_scale
    if noise is None:
        return
    check_pair(setting.algorithm, query_log_of(setting, 1), noise)  # one iteration is all that the condition is about
    for schedule in (noise.scales, noise.repairs):
        schedule(1, nodes)  # one for each node


def check_facts(setting: Setting, facts: PublicFacts, other: Setting | None) -> None:
    """Refuse a noise whose guarantee wouldn't hold, or a budget that can't be met, given the number of rows at each
    node.

    Args:
        other: Setting whose total bound it refers to; None if it refers to none.
    """
    noise = setting.noise_at_any_scale
    if noise is None:
        return
    check_condition(facts, query_log_of(setting, 1), noise)
    if not setting.is_calibrated:
        check_budget(setting, facts, other)


_tried: set[Hashable] = set()


def _check_loss(setting: Setting) -> None:
    """Check that the algorithm can solve the loss and, with noise, that the loss keeps the bounds that it states.

    The bounds are tried at thousands of margins, so once for all settings that share the loss. A class that is defined
    again under the same name, as in a notebook, is checked again.
    """
    loss = loss_of(setting)
    setting.algorithm.check_problem(loss, size_of(setting).features * loss.outputs)
    noise = setting.noise_at_any_scale
    if noise is None or not noise.needs_slope_bound:
        return
    key = (content_key(loss), loss.outputs)
    if key not in _tried:
        check_stated_bounds(loss)
        _tried.add(key)
