import re

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()


def test_the_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {})  # noqa: S102
    assert "a run spends ε = 1.99 at δ = 1e-5, for replacing one row" in capsys.readouterr().out


def test_linked_files_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_columns_are_those_of_a_trace():
    from radmm.metrics import METRICS

    for name in ("run", "iteration", *METRICS):
        assert f"`{name}`" in README
