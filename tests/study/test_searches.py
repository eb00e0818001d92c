"""Searches: settings share one exactly if it finds the same noise for each of them, and it finds what each needs."""

from dataclasses import replace

import numpy as np
import pytest

from radmm.study.budgets import calibrate, known_bound
from radmm.study.draws import drawn_with_each
from radmm.study.entries import Entry
from radmm.study.noise_budget import SameBound
from radmm.study.searches import Search, searches_of
from radmm.study.setting_facts import known_facts, known_row_counts
from tests.made_settings import made_setting

NOISE = {"kind": "objective", "law": "gaussian", "total_epsilon": 3.0, "delta": 1e-5, "accountant": "renyi"}
NETWORK = {"law": "erdos-renyi", "nodes": 6, "probability": 0.5, "seed": 0}


def asking(**sections):
    return made_setting(**{"noise": NOISE} | sections)


def names(*settings):
    found = searches_of([Entry("a", "A", {}, each) for each in settings])
    return [found[each.id].name for each in settings if each.id in found]


ALIKE = {
    "seed": {"seed": 7},
    "runs": {"runs": 5},
    "split": {"split": {"train": 30, "test": None, "seed": 3}},
    "test rows": {"split": {"train": 30, "test": 9, "seed": 0}},
    "initial scale": {"initial_scale": 0.1},
    "gamma": {"algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 2.0}},
    "graph of equal degrees": {"network": {"law": "complete", "nodes": 3}},
}
OTHERS = {
    "epsilon": {"noise": NOISE | {"total_epsilon": 4.0}},
    "delta": {"noise": NOISE | {"delta": 1e-6}},
    "accountant": {"noise": NOISE | {"accountant": "pld"}},
    "relation": {"noise": NOISE | {"neighbours": "zero-out"}},
    "rows of a person": {"noise": NOISE | {"rows": 2}},
    "growth": {"noise": NOISE | {"growth": 1.1}},
    "each node": {"noise": NOISE | {"each_node": True}},
    "kind": {"noise": NOISE | {"kind": "output"}},
    "repair": {"noise": NOISE | {"repair": 1e-7}},
    "cancelling": {"noise": NOISE | {"cancelling": 1.0}},
    "penalty": {"algorithm": {"name": "r-admm", "penalty": 2.0, "gamma": 0.5}},
    "algorithm": {"algorithm": {"name": "admm", "penalty": 1.0}},
    "iterations": {"iterations": 5},
    "nodes": {"network": {"law": "ring", "nodes": 5}},
    "C": {"problem": {"C": 4.0, "rho": 0.4}},
    "rho": {"problem": {"C": 5.0, "rho": 0.5}},
    "training rows": {"split": {"train": 33, "test": None, "seed": 0}},
    "partition": {"partition": {"law": "sizes", "per_node": [8, 12, 10]}},
}


@pytest.mark.parametrize("change", ALIKE)
def test_settings_share_a_search_if_accountants_see_no_difference(change):
    one, other = asking(), asking(**ALIKE[change])
    assert one.id != other.id
    assert len(set(names(one, other))) == 1
    scales = {str(calibrate(each, known_facts(each), None)) for each in (one, other)}
    assert len(scales) == 1  # found for each by itself


@pytest.mark.parametrize("change", OTHERS)
def test_settings_have_searches_of_their_own_if_anything_else_differs(change):
    assert len(set(names(asking(), asking(**OTHERS[change])))) == 2


def test_settings_without_a_budget_need_no_search():
    assert names(made_setting(), made_setting(noise={"kind": "objective", "alpha": 1.0})) == []


def test_graphs_of_other_degrees_have_searches_of_their_own():
    graphs = [asking(network=NETWORK | {"seed": seed}) for seed in range(3)]
    assert len(set(names(*graphs))) == 3


def test_a_partition_that_needs_the_data_shares_only_what_is_drawn_alike():
    def skewed(**others):
        return asking(partition={"law": "label-skew", "beta": 1.0, "seed": 0}, **others)

    alike = names(skewed(), skewed(seed=3, runs=4), skewed(**ALIKE["gamma"]))
    assert len(set(alike)) == 1
    assert len({*alike, *names(skewed(**ALIKE["split"]), skewed(**OTHERS["penalty"]))}) == 3


GRADIENTS = {"kind": "gradient", "law": "gaussian", "total_epsilon": 3.0, "delta": 1e-5}


def test_neither_steps_nor_gossip_enter_the_search_of_a_gradient_method_on_several_graphs():
    def drawn(noise, **changes):
        algorithm = {"name": "dgd", "step": 0.1} | changes
        return drawn_with_each(asking(network=NETWORK, algorithm=algorithm, noise=noise), range(3))

    def names_of(noise):
        every = [drawn(noise), drawn(noise, step=0.3), drawn(noise, momentum=0.9, gossip=4)]
        assert len({Search(tuple(each)).find(known_row_counts).noise for each in every}) == 1
        return {name for each in every for name in names(*each)}

    assert len(names_of(GRADIENTS)) == 1
    assert len(names_of(GRADIENTS) | names_of(GRADIENTS | {"cancelling": 3.0})) == 2


def test_the_digest_depends_on_the_rows_that_the_data_have():
    search = Search((asking(partition={"law": "label-skew", "beta": 1.0, "seed": 0}),))
    one, other = (search.digest(lambda _, rows=rows: np.array(rows)) for rows in ([10, 12, 8], [10, 10, 10]))
    assert one != other
    assert one != search.name


@pytest.mark.parametrize("noise", [NOISE, {"kind": "objective", "total_bound": 9.0}], ids=["epsilon", "bound"])
def test_a_search_finds_what_a_setting_by_itself_would(noise):
    setting = asking(noise=noise)
    found = Search((setting,)).find(known_row_counts)
    bound = known_bound(setting, None)
    assert found == (calibrate(setting, known_facts(setting), bound), bound)


def referring(seed, other):
    bound = asking(noise={"kind": "objective", "total_bound": 1.0}, seed=seed)
    return replace(bound, noise=replace(bound.noise, total_bound=SameBound(other.id)))


def test_references_share_a_search_if_what_they_refer_to_has_the_same_bound():
    plain = [
        made_setting(noise={"kind": "objective", "alpha": alpha}, seed=seed) for alpha, seed in ((2, 0), (2, 1), (3, 0))
    ]
    one, same, other = names(*plain, *(referring(number, each) for number, each in enumerate(plain)))
    assert one == same != other


def test_one_noise_for_several_graphs_is_one_search():
    drawn = drawn_with_each(asking(network=NETWORK), range(3))
    entries = [Entry("a", "A", {}, each) for each in drawn]
    (search,) = {search.name: search for search in searches_of(entries).values()}.values()
    assert [each.network.seed for each in search.draws] == [0, 1, 2]
    assert names(*drawn[:1]) == [search.name]


def test_a_budget_that_cannot_be_met_is_told_of_the_setting():
    with pytest.raises(Exception, match="^fig, R-ADMM: total_bound = 0.001 can't be met"):
        Search((asking(noise={"kind": "objective", "total_bound": 0.001}),), None, "fig, R-ADMM").find(known_row_counts)
