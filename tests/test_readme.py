import re

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()


def test_the_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {})  # noqa: S102
    assert re.match(r"ε = 1\.9\d+ in total at δ = 1e-05, for replacing one row, by .*; taking", capsys.readouterr().out)


def test_linked_files_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).is_file(), target


def test_the_example_has_ten_lines():
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in example.splitlines() if line]) <= 10


def test_what_stands_at_the_top_is_short():
    """Tables whose cells are a sentence at most, and blocks that are made from results, never by hand."""
    for block in ("outcome", "commands"):
        (made,) = re.findall(rf"<!-- {block}: begin -->\n(.+?)<!-- {block}: end -->", README, re.DOTALL)
        assert len(made) > 100
    cells = [cell for line in re.findall(r"^\|(.*)\|$", README, re.MULTILINE) for cell in re.split(r"(?<!\\)\|", line)]
    assert max(len(re.sub(r"\]\([^)]*\)", "]", cell)) for cell in cells) < 260
