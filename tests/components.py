"""Components that tests define stay in the tests that define them."""

import sys
from contextlib import contextmanager

from radmm.base.plugin_faults import PREFIX
from radmm.contract.verdicts import KINDS
from radmm.privacy.events import Release


@contextmanager
def components_of_its_own():
    """Forget, at the end, every component, release and plug-in that was defined meanwhile."""
    lists = [base.registry for base in KINDS]
    for registry in lists:
        len(registry)  # reads its folder, which is no definition of the test's own
    kept = [*(registry._classes for registry in lists), Release.types]
    before, plugins = [dict(known) for known in kept], _plugins()
    try:
        yield
    finally:
        for known, content in zip(kept, before, strict=True):
            known.clear()
            known.update(content)
        for name in _plugins() - plugins:
            del sys.modules[name]


def _plugins():
    return {name for name in sys.modules if name.startswith(PREFIX)}
