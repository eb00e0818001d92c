"""The list of protections is one of code that there is: `make protections` takes them out one by one."""

import pytest

from tests.conftest import ROOT
from tests.protections import PROTECTIONS


@pytest.mark.parametrize("protection", PROTECTIONS, ids=lambda one: f"{one.file}: {one.code}")
def test_it_is_where_the_list_says(protection):
    assert protection.code in (ROOT / protection.file).read_text()
    assert protection.code != protection.without
    assert all((ROOT / word).is_file() for word in protection.tests.split() if word.endswith(".py"))
