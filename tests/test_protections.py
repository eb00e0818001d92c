"""The list of protections is one of code that there is, and each was seen to fail its tests when it was taken out."""

import re

import pytest

from tests import long_forms, taken_out
from tests.conftest import ROOT
from tests.protections import PROTECTIONS
from tests.taken_out import fails, seen


@pytest.mark.parametrize("protection", PROTECTIONS, ids=lambda one: f"{one.file}: {one.code}")
def test_it_is_where_the_list_says(protection):
    assert (ROOT / protection.file).read_text().count(protection.code) == 1
    assert protection.code != protection.without
    assert all((ROOT / word).is_file() for word in protection.tests.split() if word.endswith(".py"))


def test_each_was_taken_out_and_its_tests_failed():
    known = seen()
    missing = [f"{one.file}: {one.code}" for one in PROTECTIONS if not (one in known and fails(known[one]))]
    assert missing == [], "run `make protections`"


@pytest.mark.parametrize(("block", "told"), [("protections", taken_out.sentence), ("long forms", long_forms.sentence)])
def test_the_document_has_the_stored_numbers(block, told):
    text = (ROOT / "docs" / "reliability.md").read_text()
    (found,) = re.findall(rf"<!-- {block}: begin -->\n(.*?)<!-- {block}: end -->", text, re.DOTALL)
    assert found == told(), "run `python docs/refresh.py reliability`"
