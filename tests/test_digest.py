import subprocess
import sys

import radmm.digest
from radmm.digest import code_digest, needed_modules


def test_a_step_needs_what_it_imports_and_no_more():
    solver, figure = needed_modules("radmm.steps.solve"), needed_modules("radmm.figures.comparison")
    assert {"radmm.primal", "radmm.algorithms", "radmm.noise", "radmm.steps.command"} <= solver
    assert not any(name.startswith("radmm.figures") for name in solver)
    assert not {"radmm.config", "radmm.batches", "radmm.cost"} & solver  # what runs when is no part of a trace
    assert "radmm.figures.style" in figure
    assert "radmm.primal" not in figure


def test_imports_at_run_time_are_within_the_closure():
    """Every radmm module that the step really loads, but for those that only radmm/__init__ pulls in."""
    code = (
        "import sys, types; package = types.ModuleType('radmm'); package.__path__ = [sys.argv[1]];"
        "sys.modules['radmm'] = package; import radmm.steps.solve;"
        "print('\\n'.join(name for name in sys.modules if name.startswith('radmm.') and name != 'radmm.steps'))"
    )
    command = [sys.executable, "-c", code, str(radmm.digest.PACKAGE)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) <= needed_modules("radmm.steps.solve")


def test_a_solver_job_imports_nothing_heavy():
    code = "import sys, radmm.steps.batch; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pandas", "matplotlib", "seaborn", "snakemake", "networkx", "pydantic"} & set(loaded)


def test_the_digest_follows_the_sources(tmp_path, monkeypatch):
    for name, text in {"a": "from radmm import b\n", "b": "x = 1\n", "c": "y = 1\n"}.items():
        (tmp_path / "radmm").mkdir(exist_ok=True)
        (tmp_path / "radmm" / f"{name}.py").write_text(text)
    monkeypatch.setattr(radmm.digest, "PACKAGE", tmp_path / "radmm")
    before = code_digest("radmm.a")
    (tmp_path / "radmm" / "c.py").write_text("y = 2\n")
    assert code_digest("radmm.a") == before
    (tmp_path / "radmm" / "b.py").write_text("x = 2\n")
    assert code_digest("radmm.a") != before
