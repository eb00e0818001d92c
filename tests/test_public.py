"""What strangers see first: every public name says what it is and lists its arguments."""

import inspect

import pytest

import radmm
from radmm.base.docstrings import arguments


def public_names():
    for name in radmm.__all__:
        member = getattr(radmm, name)
        yield name, member
        if inspect.isclass(member):
            for method, function in inspect.getmembers(member, inspect.isroutine):
                if not method.startswith("_") and getattr(function, "__module__", "").startswith("radmm"):
                    yield f"{name}.{method}", function


PUBLIC = list(public_names())


@pytest.mark.parametrize(("name", "member"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_every_argument_is_listed(name, member):
    assert inspect.getdoc(member), name
    if inspect.isclass(member) and "__init__" not in vars(member):
        return  # nothing of its own to be given
    described = member if inspect.isclass(member) else type("Holder", (), {"__doc__": member.__doc__})
    listed = arguments(described)
    given = set(inspect.signature(member).parameters) - {"self", "args", "kwargs", "options"}
    assert given <= set(listed), f"{name} doesn't list {given - set(listed)}"
