import subprocess
import sys

import radmm.jobs.digest
from radmm.jobs.digest import code_digest, needed_modules


def test_a_step_needs_what_it_imports_and_no_more():
    solver, figure = needed_modules("radmm.jobs.steps.solve"), needed_modules("radmm.results.figures.comparison")
    assert {
        "radmm.argmin.solver",
        "radmm.algorithms.families",
        "radmm.privacy.noise",
        "radmm.jobs.steps.command",
    } <= solver
    assert not any(name.startswith("radmm.results.figures") for name in solver)
    assert (
        not {"radmm.study.config", "radmm.jobs.batches", "radmm.jobs.estimates"} & solver
    )  # what runs when is no part of a trace
    assert "radmm.results.figures.style" in figure
    assert "radmm.argmin.solver" not in figure


def test_imports_at_run_time_are_within_the_closure():
    """Every radmm module that the step really loads, but for those that only radmm/__init__ pulls in."""
    code = (
        "import sys, types; package = types.ModuleType('radmm'); package.__path__ = [sys.argv[1]];"
        "sys.modules['radmm'] = package; import radmm.jobs.steps.solve;"
        "print('\\n'.join(name for name in sys.modules if name.startswith('radmm.') and name != 'radmm.jobs.steps'))"
    )
    command = [sys.executable, "-c", code, str(radmm.jobs.digest.PACKAGE)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) <= needed_modules("radmm.jobs.steps.solve")


def test_a_solver_job_imports_nothing_heavy():
    code = "import sys, radmm.jobs.steps.batch; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pandas", "matplotlib", "seaborn", "snakemake", "networkx", "pydantic"} & set(loaded)


def test_the_digest_follows_the_sources(tmp_path, monkeypatch):
    for name, text in {"a": "from radmm import b\n", "b": "x = 1\n", "c": "y = 1\n"}.items():
        (tmp_path / "radmm").mkdir(exist_ok=True)
        (tmp_path / "radmm" / f"{name}.py").write_text(text)
    monkeypatch.setattr(radmm.jobs.digest, "PACKAGE", tmp_path / "radmm")
    before = code_digest("radmm.a")
    (tmp_path / "radmm" / "c.py").write_text("y = 2\n")
    assert code_digest("radmm.a") == before
    (tmp_path / "radmm" / "b.py").write_text("x = 2\n")
    assert code_digest("radmm.a") != before
