import pytest

from radmm.contract import check_plugin
from radmm.contract.verdicts import KINDS
from radmm.privacy.events import Release


@pytest.fixture(autouse=True)
def own_components():
    """What a test defines is forgotten after it: other tests count components, or compare them with documents."""
    registries = [base.registry for base in KINDS]
    for registry in registries:
        len(registry)  # reads its folder
    known, types = [dict(registry._classes) for registry in registries], dict(Release.types)
    yield
    for registry, classes in zip(registries, known, strict=True):
        registry._classes.clear()
        registry._classes.update(classes)
    for mechanism in set(Release.types) - set(types):
        del Release.types[mechanism]


@pytest.fixture
def verdict_on(tmp_path):
    """The verdict on the one component of a plug-in's text."""

    def check(text, raw=None):
        plugin = tmp_path / "plugin.py"
        plugin.write_text(text)
        (verdict,) = check_plugin(plugin, raw)
        return verdict

    return check
