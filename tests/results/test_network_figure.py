"""Networks as they are drawn: what is marked, what is said, and what is not drawn."""

import numpy as np
import pytest

import radmm
from radmm.data.topology import make_edges
from radmm.jobs.steps.network_pictures import draw_networks
from radmm.results.figures.network import MOST_DRAWN, draw
from tests.made_settings import made_setting


def network(nodes, law="ring"):
    return radmm.Network.from_edges(make_edges({"law": law, "nodes": nodes}))


@pytest.mark.parametrize("marked", [[], [0], [2, 0]])
def test_a_small_network(marked):
    drawn = draw(network(5, "star"), marked, "star-nodes5")
    (axes,) = drawn.axes
    assert axes.get_title(loc="left") == "star-nodes5\n5 nodes, 4 edges, degrees 1 to 4"
    assert [legend.get_texts()[0].get_text() for legend in drawn.legends] == (
        ["sets the privacy bound"] if marked else []
    )
    lines, nodes, marks = axes.collections
    assert len(lines.get_segments()) == 4
    assert nodes.get_array().tolist() == [4, 1, 1, 1, 1]
    places = nodes.get_offsets()
    np.testing.assert_array_equal(marks.get_offsets(), places[marked])
    assert len(np.unique(np.round(places, 6), axis=0)) == 5


def test_a_large_network_is_its_degrees():
    (axes,) = draw(network(MOST_DRAWN + 1, "path"), [0], "path").axes
    assert {bar.get_x() + 0.4: bar.get_height() for bar in axes.patches} == {1.0: 2, 2.0: MOST_DRAWN - 1}
    assert axes.lines[0].get_xdata()[0] == 1


def test_each_network_is_drawn_once_with_its_settings(tmp_path):
    ring, star = ({"law": law, "nodes": 5} for law in ("ring", "star"))
    settings = [made_setting(network=ring), made_setting(network=ring, seed=1), made_setting(network=star)]
    first, second, third = (setting.id for setting in settings)
    table = {"id": [first, first, second, third], "bound.node": [0.0, 0.0, np.nan, 3.0]}
    draw_networks(settings, table, ["ring-nodes5", "star-nodes5"], tmp_path)
    assert sorted(path.name for path in tmp_path.glob("[!.]*")) == [
        f"{law}-nodes5.{kind}" for law in ("ring", "star") for kind in ("pdf", "png")
    ]
