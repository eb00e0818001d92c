"""The list of protections is one of code that there is."""

import pytest

from tests.conftest import ROOT
from tests.protections import PROTECTIONS


@pytest.mark.parametrize("protection", PROTECTIONS, ids=lambda one: f"{one.file}: {one.code}")
def test_it_is_where_the_list_says(protection):
    assert (ROOT / protection.file).read_text().count(protection.code) == 1
    assert protection.code != protection.without
    assert all((ROOT / word).is_file() for word in protection.tests.split() if word.endswith(".py"))
