import numpy as np
import pytest

from radmm.data.holdings import Holdings, read_row_counts
from radmm.data.partition import TrainingRows, make_partition
from radmm.results.figures.partition import describe, draw


def held_by(nodes, classes=2, names=()):
    source = np.random.default_rng(0)
    labels = source.integers(classes, size=50 * nodes).astype(float)
    owner = np.concatenate([np.arange(nodes), source.integers(nodes, size=49 * nodes)])
    rows = TrainingRows(labels, owner if names else None, names)
    return rows, owner, Holdings.of(rows, owner, nodes)


def test_holdings_count_rows_by_class_and_node(tmp_path):
    rows, owner, held = held_by(4, classes=3)
    for place, label in enumerate(held.classes):
        for node in range(4):
            assert held.counts[place, node] == np.sum((rows.labels == label) & (owner == node))
    held.write(tmp_path / "held.json", {"data": "made"})
    np.testing.assert_array_equal(read_row_counts(tmp_path / "held.json"), np.bincount(owner))


@pytest.mark.parametrize(("nodes", "classes"), [(5, 2), (5, 9), (300, 2)])
def test_the_picture_shows_every_row(nodes, classes):
    _, _, held = held_by(nodes, classes)
    above, below = draw(held, "title").axes
    if nodes == 5:
        heights = np.array([bar.get_height() for bar in above.patches]).reshape(classes, nodes)
        np.testing.assert_array_equal(heights, held.counts)
    else:
        assert len(above.patches) == classes  # not a bar for each node
        np.testing.assert_array_equal(above.patches[-1].get_data().values, held.row_counts)
    lines = [line.get_ydata()[0] for line in below.get_lines()]
    assert lines == ([] if classes > 4 else [held.counts[0].sum() / held.counts.sum()])


def test_a_caption_names_the_law_and_the_extremes():
    rows, owner, held = held_by(3, names=("north", "south", "west"))
    assert Holdings.of(rows, owner[::-1], 3).node_names == ()  # these nodes are not those that a column names
    poorest = int(held.row_counts.argmin())
    said = describe("adult", make_partition({"law": "label-skew", "beta": 0.5, "seed": 0}), held)
    assert said.startswith("adult, spread by label-skew, β = 0.5, seed = 0, least = 10.\n150 training rows at 3 nodes")
    assert f"fewest rows at node {poorest} ({held.node_names[poorest]}) with {held.row_counts.min()}" in said
