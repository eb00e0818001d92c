import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats

from radmm.base.errors import InputError
from radmm.data import dirichlet_sizes
from radmm.data.partition import TrainingRows, known_counts, make_partition, spread_rows
from radmm.data.prepared_files import DataSet, make_problem
from radmm.data.split import split_rows

EVEN = make_partition({"law": "even"})
LAWS = [
    {"law": "even"},
    {"law": "dirichlet", "beta": 0.8, "least": 1},
    {"law": "label-skew", "beta": 0.8, "least": 1},
    {"law": "column"},
]


def rows_of(rows, classes=2, seed=0, nodes=4):
    """Labels of uneven classes, and a column that names nodes."""
    source = np.random.default_rng(seed)
    share = np.arange(1.0, classes + 1.0)
    labels = source.choice(np.arange(float(classes)), rows, p=share / share.sum())
    names = tuple(f"site {node}" for node in range(nodes))
    return TrainingRows(labels, np.arange(rows)[::-1] % nodes, names)


@given(st.sampled_from(LAWS), st.integers(40, 400), st.integers(1, 6), st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_every_row_goes_to_one_node_and_every_node_has_rows(section, rows, nodes, classes):
    partition, given_rows = make_partition(section), rows_of(rows, classes, nodes=nodes)
    owner = spread_rows(partition, given_rows, nodes)
    assert owner.shape == (rows,)
    counts = np.bincount(owner, minlength=nodes)
    assert len(counts) == nodes
    assert counts.min() >= 1
    known = known_counts(partition, rows, nodes)
    assert (known is None) == (section["law"] in ("label-skew", "column"))
    if known is not None:
        np.testing.assert_array_equal(counts, known)
    np.testing.assert_array_equal(owner, make_partition(section).assign(given_rows, nodes))


@given(st.integers(1, 500), st.integers(1, 20))
def test_rows_are_spread_evenly(rows, nodes):
    counts = EVEN.row_counts(rows, nodes)
    assert counts.sum() == rows
    assert counts.max() - counts.min() <= 1
    assert np.all(np.diff(counts) <= 0)  # the first nodes have one more


@pytest.mark.parametrize("section", [*LAWS[:2], {"law": "sizes", "per_node": [100, 500, 300]}])
def test_nodes_get_rows_in_the_order_of_the_split(section):
    train = split_rows(1000, 900, None, 0).train
    owner = make_partition(section).assign(TrainingRows(np.ones(900)), 3)
    assert np.all(np.diff(owner) >= 0)
    means = [train[owner == node].mean() for node in range(3)]
    np.testing.assert_allclose(means, 500, atol=100)  # every node has rows from everywhere


def test_sizes_are_those_given():
    partition = make_partition({"law": "sizes", "per_node": [3, 1, 2]})
    np.testing.assert_array_equal(partition.assign(TrainingRows(np.ones(6)), 3), [0, 0, 0, 1, 2, 2])


@pytest.mark.parametrize("beta", [0.3, 2.0])
def test_shares_of_the_rows_follow_the_dirichlet_law(beta):
    """Of Dirichlet(β, …, β) over four nodes a share is Beta(β, 3β); rounding moves it by a row at most."""
    draws = [
        make_partition({"law": "dirichlet", "beta": beta, "seed": seed, "least": 1}).row_counts(10**7, 4)
        for seed in range(500)
    ]
    shares = np.array(draws) / 1e7
    assert stats.kstest(shares[:, 0], stats.beta(beta, 3.0 * beta).cdf).pvalue > 0.01
    np.testing.assert_allclose(shares.mean(axis=0), 0.25, atol=4 * np.sqrt(3 / 16 / (4 * beta + 1) / 500))


def shares_of_classes(seed, beta, labels):
    owner = make_partition({"law": "label-skew", "beta": beta, "seed": seed, "least": 1}).assign(
        TrainingRows(labels), 4
    )
    counts = np.array([np.bincount(owner[labels == label], minlength=4) for label in np.unique(labels)])
    return counts / counts.sum(axis=1, keepdims=True)


def test_each_class_follows_a_dirichlet_law_of_its_own():
    labels = np.repeat([0.0, 1.0, 2.0], [3000, 2000, 1000])[np.random.default_rng(0).permutation(6000)]
    shares = np.array([shares_of_classes(seed, 0.7, labels) for seed in range(400)])
    for label in range(3):
        cut = shares[:, label, 1]  # of shares below a row nothing is left, so the law is compared from there on
        assert stats.kstest(cut[cut > 0.005], lambda x: _beyond(stats.beta(0.7, 2.1), x, 0.005)).pvalue > 0.01
    correlation = np.corrcoef(shares[:, 0, 0], shares[:, 1, 0])[0, 1]
    assert abs(correlation) < 4 / np.sqrt(400)


def _beyond(law, x, least):
    return (law.cdf(x) - law.cdf(least)) / law.sf(least)


def test_a_large_beta_spreads_classes_evenly_and_a_small_one_does_not():
    labels = np.where(np.arange(4000) % 4 == 0, 1.0, -1.0)
    np.testing.assert_allclose(shares_of_classes(0, 1e6, labels), 0.25, atol=0.01)
    assert shares_of_classes(0, 0.2, labels).max() > 0.6


def test_draws_go_on_until_every_node_has_enough():
    labels = rows_of(400).labels
    sections = [{"law": "label-skew", "beta": 0.5, "seed": 3, "least": least} for least in (1, 60)]
    held = [np.bincount(make_partition(section).assign(TrainingRows(labels), 4)) for section in sections]
    assert held[0].min() < 60 <= held[1].min()  # the first draw was not enough


def test_a_column_of_the_data_names_the_nodes():
    named = {"node": np.array([1, 0, 2, 1, 1, 0, 2]), "node_names": ("a", "b", "c")}
    data = DataSet(sparse.csr_array(np.eye(7) / 2.0), np.ones(7), "", **named)
    split = split_rows(7, 6, None, 2)
    problem = make_problem(data, split, make_partition({"law": "column"}), nodes=3, loss="logistic", C=1.0, rho=1.0)
    for node in range(3):
        rows = problem.rows[problem.node_start[node] : problem.node_start[node + 1]].nonzero()[1]
        np.testing.assert_array_equal(np.sort(rows), np.sort(split.train[data.node[split.train] == node]))


@pytest.mark.parametrize(
    ("section", "rows", "nodes", "message"),
    [
        ({"law": "evn"}, rows_of(9), 3, r"partition.law = 'evn': must be one of column, .*; did you mean even\?"),
        (LAWS[0], rows_of(3), 4, "split.train = 3: must be at least 4, as each of 4 nodes needs a row"),
        ({"law": "sizes", "per_node": [4, 4]}, rows_of(9), 2, "adds up to 8 rows: must add up to split.train = 9"),
        ({"law": "sizes", "per_node": [5, 4]}, rows_of(9), 3, "lists 2 nodes: must list 3, as the network has"),
        ({"law": "sizes", "per_node": [9, 0]}, rows_of(9), 2, "gives node 1 0 rows: must be at least 1"),
        ({"law": "sizes", "per_node": []}, rows_of(9), 2, r"per_node = \[\]: must be a list of whole numbers"),
        ({"law": "sizes", "per_node": [4.5, 4.5]}, rows_of(9), 2, "must be a list of whole numbers"),
        ({"law": "label-skew", "beta": 0.0}, rows_of(9), 2, "partition.beta = 0.0: must be above 0"),
        ({"law": "dirichlet", "beta": -1.0}, rows_of(9), 2, "partition.beta = -1.0: must be above 0"),
        ({"law": "dirichlet", "beta": 1.0}, rows_of(9), 2, "partition.least = 10: must be at most 4, as 9 rows"),
        ({"law": "label-skew", "beta": 1.0, "least": 0}, rows_of(9), 2, "partition.least = 0: must be at least 1"),
        ({"law": "column"}, TrainingRows(np.ones(9)), 2, "the data must have a column that names the node of each row"),
        (
            {"law": "column"},
            rows_of(9, nodes=3),
            2,
            "the data name 3 nodes, so the network must have as many, but it has 2",
        ),
        (
            {"law": "column"},
            TrainingRows(np.ones(9), np.arange(9) % 2, ("a", "b", "c")),
            3,
            "node 2, 'c', has no training rows, but every node must have at least one",
        ),
    ],
)
def test_bad_input_is_one_sentence(section, rows, nodes, message):
    with pytest.raises(InputError, match=message):
        spread_rows(make_partition(section), rows, nodes)


@pytest.mark.parametrize("law", ["dirichlet", "label-skew"])
def test_a_law_that_leaves_nodes_poor_is_refused(law, monkeypatch):
    monkeypatch.setattr(dirichlet_sizes, "TRIES", 50)
    partition = make_partition({"law": law, "beta": 0.01})
    with pytest.raises(InputError, match=r"in each of 50 draws \(in the best of them node \d has \d\): must be larger"):
        spread_rows(partition, rows_of(100), 8)


def test_a_node_that_a_law_forgets_is_named(monkeypatch):
    partition = make_partition({"law": "column"})
    monkeypatch.setattr(type(partition), "assign", lambda self, rows, nodes: np.zeros(len(rows), dtype=int))
    with pytest.raises(InputError, match="partition.law = column: node 1 has no training rows"):
        spread_rows(partition, rows_of(9), 2)
