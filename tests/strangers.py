"""What a stranger may bring where numbers, arrays or graphs are wanted, to see that a sentence comes back."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import sparse

from radmm.base.errors import InputError

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 5),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.sampled_from([10**400, -(10**400), np.float32(0.5), np.True_, np.datetime64("2020"), object(), int, Ellipsis]),
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), max_size=5),
        st.sets(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), max_size=4),
        st.dictionaries(st.integers(0, 3), inner, max_size=3),
    ),
    max_leaves=12,
)
_types = st.one_of(
    npst.boolean_dtypes(),
    npst.integer_dtypes(endianness="="),
    npst.unsigned_integer_dtypes(endianness="="),
    npst.floating_dtypes(endianness="="),
    npst.complex_number_dtypes(endianness="="),
    npst.unicode_string_dtypes(max_len=3),
    npst.datetime64_dtypes(max_period="ns"),
)
_shapes = npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)
_dense = st.one_of(
    npst.arrays(_types, _shapes),
    npst.arrays(np.int64, st.tuples(st.integers(0, 6), st.just(2)), elements=st.integers(-1, 5)),
    npst.arrays(np.float64, _shapes, elements=st.sampled_from([0.0, 1.0])),
    npst.arrays(object, _shapes, elements=scalars),
)


def refusal(call, *arguments, **options):
    """The InputError's message, or None if the call went well; whatever else it raises comes through."""
    try:
        call(*arguments, **options)
    except InputError as error:
        return str(error)


def _dress(array):
    """The same as a masked or a sparse array, where there is one."""
    forms = [array, np.ma.array(array)]
    if array.ndim in (1, 2) and array.dtype.kind in "biuf" and array.dtype != np.float16:
        forms.append(sparse.coo_array(array))
    return st.sampled_from(forms)


arrays = _dense.flatmap(_dress)
