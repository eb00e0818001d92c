"""What strangers see first: every public name says what it is and lists its arguments."""

import inspect
import subprocess
import sys

import pytest

import radmm
from radmm.base.docstrings import arguments


def public_names():
    for name in radmm.__all__:
        member = getattr(radmm, name)
        yield name, member
        if inspect.isclass(member):
            for method, function in inspect.getmembers(member, inspect.isroutine):
                if not method.startswith("_") and (getattr(function, "__module__", "") or "").startswith("radmm"):
                    yield f"{name}.{method}", function


PUBLIC = list(public_names())


def arguments_of(name):
    """Arguments of a function, or of a method as its class and those that it is derived from describe them."""
    owner, _, method = name.rpartition(".")
    classes = inspect.getmro(getattr(radmm, owner)) if owner else [radmm]
    texts = [getattr(vars(each).get(method), "__doc__", None) for each in classes]
    return {key: text for doc in texts for key, text in arguments(type("Holder", (), {"__doc__": doc})).items()}


@pytest.mark.parametrize(("name", "member"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_every_argument_is_listed(name, member):
    assert inspect.getdoc(member), name
    if inspect.isclass(member) and "__init__" not in vars(member):
        return  # nothing of its own to be given
    listed = arguments(member) if inspect.isclass(member) else arguments_of(name)
    given = set(inspect.signature(member).parameters) - {"self", "args", "kwargs", "options"}
    assert given <= set(listed), f"{name} doesn't list {given - set(listed)}"


def test_every_public_name_is_imported_from_its_module():
    assert radmm.__all__ == sorted(radmm.__all__, key=lambda name: (not name.isupper(), name))
    assert all(getattr(radmm, name).__module__.startswith("radmm.") for name in radmm.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'radmm' has no attribute 'ADDM'"):
        radmm.ADDM  # noqa: B018


def test_who_draws_nothing_need_not_wait_for_seaborn():
    code = "import radmm, sys; assert not {'matplotlib', 'seaborn'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
