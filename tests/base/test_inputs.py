import decimal
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
import pytest
from annotated_types import Ge, Lt
from scipy import sparse

from radmm.base.errors import InputError
from radmm.base.inputs import as_number, as_real_array, check_fields, make_component, shown
from radmm.data.topology import TOPOLOGIES


@dataclass(frozen=True)
class Made:
    count: Annotated[int, Ge(2)] = 2
    share: Annotated[float, Ge(0), Lt(1)] = 0.5
    note: str | None = None
    other: tuple[int, ...] = ()


@pytest.mark.parametrize("value", [1, 1.0, np.float32(1), np.int8(1), Fraction(1)])
def test_numbers(value):
    assert as_number("C", value) == 1.0


@pytest.mark.parametrize(
    "value", [True, np.True_, "1", None, 1j, float("nan"), float("inf"), 10**400, [1.0], np.ones(1), decimal.Decimal(1)]
)
def test_what_is_no_number(value):
    with pytest.raises(InputError, match=r"^C = .*: must be a finite number$"):
        as_number("C", value)


def test_arrays_keep_their_precision():
    assert as_real_array("x", np.ones((2, 2), np.float32), 2).dtype == np.float32
    assert sparse.issparse(as_real_array("x", sparse.eye_array(2), 2))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "x = None: must be an array of real numbers"),
        ("abc", "x = 'abc': must be an array of real numbers"),
        ([["a"]], "x holds values of type <U1: must be an array of real numbers"),
        ([[True]], "x holds booleans"),
        ([[1j]], "x holds values of type complex128"),
        ([[None]], "x holds values of type object"),
        ([[1], [1, 2]], r"x = \[\[1\], \[1, 2\]\]: must be an array"),
        ([1.0], "x has 1 dimensions: must have two"),
        (np.ma.array([[1.0]], mask=[[True]]), "x is a masked array"),
        (np.ma.array([[1.0]]), "x is a masked array"),
        (sparse.csr_array([[True]]), "x holds booleans"),
        (sparse.coo_array([1.0]), "x has 1 dimensions"),
    ],
    ids=str,
)
def test_what_is_no_array_of_numbers(value, message):
    with pytest.raises(InputError, match=message):
        as_real_array("x", value, 2)


def test_messages_stay_on_one_short_line():
    assert "\n" not in shown(np.ones((40, 40)))
    for value in ("x" * 10_000, [["abc" * 10] * 6] * 6, {"deep": {"deep": list(range(100))}}):
        assert len(shown(value)) <= 80


def test_fields_within_their_bounds_pass():
    check_fields("a", Made(count=np.int64(3), share=0, note="x", other=(True,)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 1}, "^a.count = 1: must be at least 2$"),
        ({"count": 2.0}, "^a.count = 2.0: must be a whole number$"),
        ({"count": True}, "^a.count = True: must be a whole number$"),
        ({"share": 1}, "^a.share = 1: must be below 1$"),
        ({"share": float("nan")}, "^a.share = nan: must be a finite number$"),
        ({"note": 3}, "^a.note = 3: must be text$"),
    ],
)
def test_fields_beyond_them_are_named(options, message):
    with pytest.raises(InputError, match=message):
        check_fields("a", Made(**options))


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"law": "rng", "nodes": 3}, "network.law = 'rng': must be one of .*; did you mean ring?"),
        ({"nodes": 3}, "network.law = 'None': must be one of"),
        ({"law": "ring"}, "network.law = ring: missing a required argument: 'nodes'"),
        ({"law": "ring", "nodes": 3, "size": 1}, "network.law = ring: got an unexpected keyword argument 'size'"),
        ({"law": "ring", "nodes": 2}, "network.nodes = 2: must be at least 3"),
    ],
)
def test_sections_that_describe_nothing(section, message):
    with pytest.raises(InputError, match=message):
        make_component(TOPOLOGIES, section)
