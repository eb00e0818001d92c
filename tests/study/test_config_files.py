"""Config files of one's own: how they are laid over the shipped one, and what is refused with its place."""

import os

import pytest
import yaml

from radmm.base.errors import InputError
from radmm.study.config_files import read_config, read_configs
from radmm.study.grids import expand
from radmm.study.resolution import resolve
from tests.conftest import ROOT
from tests.study.configs import WHOLE, complaints, one_experiment

SHIPPED = ROOT / "config" / "config.yaml"
MINE = {"figure": "convergence", "settings": {"ADMM": {"algorithm": {"name": "admm"}}}}


@pytest.fixture
def laid_over(tmp_path):
    """The shipped config with one's own over it."""

    def read(own, **options):
        (tmp_path / "my.yaml").write_text(yaml.safe_dump(own))
        return read_configs([SHIPPED, tmp_path / "my.yaml"], options)

    return read


def test_the_shipped_config_is_read_as_yaml_has_it():
    assert read_configs([SHIPPED]) == WHOLE


def test_a_file_of_one_s_own_extends_replaces_or_removes(laid_over):
    assert list(laid_over({"experiments": {"mine": MINE}})["experiments"]) == [*WHOLE["experiments"], "mine"]
    removed = resolve(laid_over({"experiments": {name: None for name in WHOLE["experiments"] if name != "fig2"}}))
    assert list(removed) == ["fig2"]
    alone = laid_over({"shipped": False, "experiments": {"fig5": MINE}})  # a shipped name, and nothing of it
    assert alone["experiments"] == {"fig5": MINE}
    assert [setting.label for setting in resolve(alone)["fig5"]] == ["ADMM"]
    study = {**MINE, "set": "study"}
    assert list(resolve(laid_over({"shipped": False, "experiments": {"mine": study}}))) == ["mine"]


def test_a_default_of_another_law_takes_nothing_from_the_shipped_one(laid_over):
    changed = laid_over({"defaults": {"network": {"law": "ring", "nodes": 8}, "problem": {"C": 100}}})["defaults"]
    assert changed["network"] == {"law": "ring", "nodes": 8}
    assert changed["problem"] == {**WHOLE["defaults"]["problem"], "C": 100}
    assert laid_over({"defaults": {"network": {"nodes": 8}}})["defaults"]["network"]["law"] == "erdos-renyi"


def test_an_experiment_may_be_called_like_a_tag(tmp_path):
    for name, settings in (("one", {"a": {"runs": 1}}), ("two", {"b": {"runs": 2}})):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump({"experiments": {"law": settings, name: {}}}))
    read = read_configs([tmp_path / "one.yaml", tmp_path / "two.yaml"])
    assert read["experiments"] == {"law": {"a": {"runs": 1}, "b": {"runs": 2}}, "one": {}, "two": {}}


@pytest.mark.parametrize("only", ["fig5,fig2", ["fig2", "fig5"], "fig5, fig2,"])
def test_only_some_experiments(laid_over, only):
    assert list(resolve(laid_over({}, only=only))) == ["fig2", "fig5"]


def test_only_what_there_is():
    (sentence,) = complaints(one_experiment() | {"only": "fig6"})
    assert (
        "must have an experiment called 'fig6', which only asks for; must be one of fig5; did you mean fig5?"
        in sentence
    )


BOMB = "a: &a0 {x: 1, y: 2}\n" + "".join(f"b{i}: &a{i} {{x: *a{i - 1}, y: *a{i - 1}}}\n" for i in range(1, 40))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"runs: 1\nseed: 2\nruns: 3\n", "line 3 has 'runs' again: line 1 has it already"),
        (b"a:\n  b: 1\n  c: {d: 1, d: 2}\n", "line 3 has 'd' again: line 3 has it already"),
        (b"a: {b: 1\nc: 2\n", "line 2, column 2 is no YAML: expected ',' or '}', but got ':'"),
        (b"a:\n\t- 1\n", "line 2, column 1 is no YAML: found character '\\t' that cannot start any token"),
        (b"a: *b\n", "line 1, column 4 is no YAML: found undefined alias 'b'"),
        (b"a: &a [*a]\n", "line 1, column 4 contains itself"),
        (BOMB.encode(), "has more than 1000000 values: must have at most so many"),
        (b"- 1\n", "is [1]: must have sections"),
        (b"a: \xff\n", "line 1 is no UTF-8 text"),
        (b"a: !!python/object:os.system x\n", "line 1, column 4 is no YAML: could not determine a constructor"),
        (b"a: 2020-99-99\n", "is no YAML: month must be in 1..12"),
        (b"a: \x00\n", "is no YAML"),
        (b"[" * 5000, "must have at most 30 sections or lists within each other"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, message):
    path = tmp_path / "my.yaml"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path):
        with pytest.raises(InputError, match="is no regular file"):
            read_config(path)
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    assert read_config(tmp_path / "empty.yaml") == {}


def points(written):
    return [point for _, point in expand(written)]


def test_zipped_axes_go_in_step():
    written = {"network": {"nodes": [5, 20]}, "runs": [1, 2], "problem": {"C": [1750, 437.5]}}
    assert len(points(written)) == 8
    zipped = points({**written, "zip": ["network.nodes", "problem.C"]})
    assert zipped == [
        {"network.nodes": nodes, "runs": runs, "problem.C": C}
        for nodes, C in ((5, 1750), (20, 437.5))
        for runs in (1, 2)
    ]
    assert [single for single, _ in expand({"a": [1, 2], "b": [3, 4], "zip": [["a", "b"]]})] == [
        {"a": 1, "b": 3},
        {"a": 2, "b": 4},
    ]
    two = points({"a": [1, 2], "b": [3, 4], "c": [5, 6], "d": [7, 8], "zip": [["a", "b"], ["c", "d"]]})
    assert [tuple(point.values()) for point in two] == [(1, 3, 5, 7), (1, 3, 6, 8), (2, 4, 5, 7), (2, 4, 6, 8)]


@pytest.mark.parametrize(
    ("zipped", "message"),
    [
        (["a", "c"], "c must be a field with a list of values, named once"),
        (["a", "a"], "a must be a field with a list of values, named once"),
        (["a", "b"], "must have lists of one length, but they have [2, 3]"),
        ("a", None),
        (3, "zip = 3: must be a list of fields"),
        ([["a", 1]], "must be a list of fields"),
    ],
)
def test_bad_zips_are_named(zipped, message):
    written = {"a": [1, 2], "b": [3, 4, 5], "c": 6, "zip": zipped}
    if message is None:
        assert len(points(written)) == 6
        return
    with pytest.raises(InputError) as caught:
        points(written)
    assert message in str(caught.value)


def test_zips_are_no_part_of_an_id():
    config = one_experiment()
    plain, zipped = (
        {"algorithm": {"name": "admm"}, "iterations": iterations, "runs": runs, **more}
        for iterations, runs, more in (([10], [2], {}), ([10, 20], [2, 3], {"zip": ["iterations", "runs"]}))
    )
    config["experiments"]["fig5"]["settings"] = {"plain": plain, "zipped": zipped}
    config["experiments"]["fig5"]["figure"] = "convergence"
    found = resolve(config)["fig5"]
    assert [setting.parameters["runs"] for setting in found] == [2, 2, 3]
    assert found[0].id == found[1].id


def test_a_grid_is_counted_before_it_is_made():
    config = one_experiment()
    listed = list(range(1, 101))
    config["experiments"]["fig5"]["defaults"] = {
        "seed": listed,
        "runs": listed,
        "iterations": listed,
        "initial_scale": listed,
    }
    assert any(
        "the grid has 100000000 settings" in line and "must be at most 100000" in line for line in complaints(config)
    )
