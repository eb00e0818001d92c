"""docs/reliability.md has the numbers that the long targets stored."""

import re

import pytest

from tests import long_forms, mutants
from tests.conftest import ROOT


@pytest.mark.parametrize(("block", "told"), [("mutants", mutants.sentence), ("long forms", long_forms.sentence)])
def test_the_page_has_the_stored_numbers(block, told):
    text = (ROOT / "docs" / "reliability.md").read_text()
    (found,) = re.findall(rf"<!-- {block}: begin -->\n(.*?)<!-- {block}: end -->", text, re.DOTALL)
    assert found == told(), "run `python docs/refresh.py reliability`"
