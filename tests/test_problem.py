import numpy as np
import pytest
from scipy import sparse

import radmm
from radmm.errors import InputError
from tests.conftest import make_data
from tests.reference import PlainProblem


def test_gradient_and_hessian_equal_the_per_node_formulas():
    features, labels, node = make_data()
    shuffled = np.random.default_rng(1).permutation(len(node))  # rows need not come sorted by node
    problem = radmm.Problem(sparse.csr_array(features[shuffled]), labels[shuffled], node[shuffled], C=5.0, rho=0.4)
    plain = PlainProblem(features, labels, node, 5.0, 0.4)
    point = np.random.default_rng(2).standard_normal((4, 4, 3))
    _, gradient = problem.data_value_and_gradient(point)
    hessian = problem.data_hessian(point[:, :, :1])
    for i in range(4):
        for run in range(3):
            f = point[i, :, run]
            np.testing.assert_allclose(gradient[i, :, run] + 0.1 * f, plain.gradient(i, f), atol=1e-12)
        np.testing.assert_allclose(hessian[i] + 0.1 * np.eye(4), plain.hessian(i, point[i, :, 0]), atol=1e-12)


def test_average_loss_weighs_nodes_equally():
    features, labels, node = make_data()
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    point = np.random.default_rng(2).standard_normal((4, 4, 2))
    for run in range(2):
        margins = labels * np.einsum("nd,nd->n", features, point[node, :, run])
        per_node = [np.log1p(np.exp(-margins[node == i])).mean() for i in range(4)]
        np.testing.assert_allclose(problem.average_loss(point)[run], np.mean(per_node))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": np.array([[1.0], [np.nan]])}, "features of row 1 are not finite"),
        ({"labels": [1, 0]}, r"labels\[1\] = 0: must be \+1 or -1"),
        ({"node": [0, 2]}, "node 1 has no rows"),
        ({"node": [0, 1, 1]}, "must both have one entry for each of 2 rows"),
        ({"node": [0.0, 1.0]}, "node must hold the number"),
        ({"C": 1.5}, "C = 1.5 is more than the 1 rows of node 0"),
        ({"C": -1.0}, "C = -1: must be a positive number"),
        ({"rho": 0.0}, "rho = 0: must be a positive number"),
    ],
)
def test_bad_input_is_named(change, message):
    good = {"features": np.array([[0.5], [0.2]]), "labels": [1, -1], "node": [0, 1], "C": 1.0, "rho": 1.0}
    radmm.Problem(**good)
    with pytest.raises(InputError, match=message):
        radmm.Problem(**(good | change))
