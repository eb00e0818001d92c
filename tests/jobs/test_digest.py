import subprocess
import sys

import pytest

import radmm.jobs.digest
from radmm.algorithms.admm import ADMM
from radmm.algorithms.algorithm import ALGORITHMS
from radmm.algorithms.recycled import RADMM
from radmm.base.plugins import load_plugin
from radmm.jobs.digest import code_digest, modules_of, needed_modules

SOLVE = "radmm.jobs.steps.solve"
CLOSURE = """
import sys, types
package = types.ModuleType('radmm'); package.__path__ = [sys.argv[1]]; sys.modules['radmm'] = package
import radmm.jobs.steps.solve
print('\\n'.join(name for name in sys.modules if name.startswith('radmm.')))
"""


@pytest.fixture(autouse=True)
def edited(monkeypatch):
    """Files are edited within one process here, so no digest is kept."""
    monkeypatch.setitem(globals(), "code_digest", radmm.jobs.digest.code_digest.__wrapped__)


def test_a_step_needs_what_it_imports_and_no_more():
    solver, figure = needed_modules(SOLVE), needed_modules("radmm.results.figures.comparison")
    assert {"radmm.argmin.solver", "radmm.algorithms.algorithm", "radmm.privacy.noise"} <= solver
    assert not any(name.startswith(("radmm.results", "radmm.algorithms.admm")) for name in solver)
    # What runs when is no part of a trace.
    assert not {"radmm.study.config", "radmm.jobs.batches", "radmm.jobs.estimates"} & solver
    assert "radmm.results.figures.curves" in figure
    assert "radmm.argmin.solver" not in figure


def test_imports_at_run_time_are_within_the_closure():
    """Every radmm module that the step really loads, but for packages, which have no code."""
    command = [sys.executable, "-c", CLOSURE, str(radmm.jobs.digest.PACKAGE)]
    loaded = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    packages = {name for name in loaded if radmm.jobs.digest.PACKAGE.parent.joinpath(*name.split(".")).is_dir()}
    assert loaded - packages <= needed_modules(SOLVE)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of three modules, one of which needs another."""
    folder = tmp_path / "radmm"
    folder.mkdir()
    for name, text in {"a": "from radmm import b\n", "b": "x = 1\n", "c": "y = 1\n"}.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(radmm.jobs.digest, "PACKAGE", folder)
    return folder


def test_the_digest_follows_the_sources(package):
    before = code_digest("radmm.a")
    (package / "c.py").write_text("y = 22\n")
    assert code_digest("radmm.a") == before
    (package / "b.py").write_text("x = 22\n")
    assert code_digest("radmm.a") != before


@pytest.mark.parametrize("edited_file", ["b.py", "b.c", "b_first.h", "b_second.h"])
def test_the_digest_follows_each_of_several_sources_of_a_module(package, edited_file):
    for name in ("b.c", "b_first.h", "b_second.h"):
        (package / name).write_text("int x = 1;\n")
    before = code_digest("radmm.a")
    (package / edited_file).write_text("x = 22\n" if edited_file == "b.py" else "int x = 22;\n")
    assert code_digest("radmm.a") != before


def test_the_digest_is_blind_to_comments_and_docstrings(package):
    code = '{}def f(x):\n    {}return "# not a comment"\n\n\nclass A:\n    {}y = 1\n'
    (package / "b.py").write_text(code.format("", "", ""))
    (package / "b_inner.c").write_text('int f(void) { return "/* no comment */"[0]; }\n')
    before = code_digest("radmm.a")
    (package / "b.py").write_text(code.format('"""One."""\n# Two.\n', '"""Three."""\n\n    ', '"""Four."""\n    '))
    (package / "b_inner.c").write_text('// What it does\nint f(void) { /* why */ return "/* no comment */"[0]; }\n')
    assert code_digest("radmm.a") == before
    (package / "b_inner.c").write_text('int f(void) { return "/* another */"[0]; }\n')
    assert code_digest("radmm.a") != before
    (package / "b.py").write_text(code.format("", "", "").replace("# not a comment", "# nor that"))
    assert code_digest("radmm.a") != before


def test_imports_for_a_type_checker_alone_are_not_run(package):
    (package / "a.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from radmm import b\nelse:\n    import radmm.c\n"
    )
    assert needed_modules("radmm.a") == {"radmm.a", "radmm.c"}


def test_a_component_brings_its_own_module_and_those_of_its_bases():
    assert modules_of([RADMM]) >= {"radmm.algorithms.recycled", "radmm.algorithms.admm", "radmm.base.registry"}
    assert code_digest(SOLVE, ADMM) != code_digest(SOLVE, RADMM) != code_digest(SOLVE)


PLUGIN = """
from dataclasses import dataclass
from typing import ClassVar
import radmm

@dataclass(frozen=True)
class Slow(radmm.ADMM):
    {}
    name: ClassVar[str] = "digested"
    pace: float = {}
"""


def test_a_plug_in_is_a_part_of_the_digest_of_what_uses_it(tmp_path):
    def digest(*values):
        ALGORITHMS._classes.pop("digested", None)
        (tmp_path / "slow.py").write_text(PLUGIN.format(*values))
        return code_digest(SOLVE, load_plugin(tmp_path / "slow.py").Slow)

    try:
        before = digest('"""As it is."""', 0.5)
        assert digest('"""Told otherwise."""', 0.5) == before
        assert digest('"""As it is."""', 0.25) != before
        assert before != code_digest(SOLVE, ADMM)
    finally:
        ALGORITHMS._classes.pop("digested", None)
