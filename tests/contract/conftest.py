import pytest

from radmm.contract.verdicts import check_plugin
from tests.components import components_of_its_own


@pytest.fixture(autouse=True)
def own_components():
    """Many plug-ins of this folder define a component of one and the same name, so each test forgets its own."""
    with components_of_its_own():
        yield


@pytest.fixture
def verdict_on(tmp_path):
    """The verdict on the one component of a plug-in's text."""

    def check(text, raw=None):
        plugin = tmp_path / "plugin.py"
        plugin.write_text(text)
        (verdict,) = check_plugin(plugin, raw)
        return verdict

    return check
