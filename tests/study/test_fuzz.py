"""Whatever a config holds: it is resolved, or refused in sentences, soon, and nothing is written."""

import copy
import time

import pytest

from radmm.base.errors import InputError
from radmm.jobs.study import Study
from tests.jobs.made_project import CONFIG
from tests.long_forms import keep
from tests.study.mutants import LOUD, mutant

LONGEST = 1000  # characters of a sentence
SECONDS = 10


def outcome(config):
    """The sentences that refuse a config, if any; each short, in one line, and printable anywhere."""
    begin = time.process_time()
    try:
        study = Study.of(config)
        assert len(study.batches) > 0
        said = []
    except InputError as error:
        said = str(error).splitlines()
        assert said
    assert time.process_time() - begin < SECONDS
    for sentence in said:
        assert len(sentence) < LONGEST
        sentence.encode("utf-8")
    return said


def survive(seeds, folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    refused = sum(bool(outcome(mutant(CONFIG, seed))) for seed in seeds)
    assert [path for path in folder.iterdir() if path.name != "cache"] == []
    return refused


def test_mutants_are_resolved_or_refused(tmp_path, monkeypatch):
    refused = survive(range(400), tmp_path, monkeypatch)
    assert 200 < refused < 400  # the odd ones are odd, and some are none


@pytest.mark.fuzz
def test_fifty_thousand_mutants_are_resolved_or_refused(tmp_path, monkeypatch):
    keep("mutants", tried=50_000, refused=survive(range(10_000, 60_000), tmp_path, monkeypatch))


def changed(path, value):
    config = copy.deepcopy(CONFIG)
    *way, last = path.split("/")
    tree = config
    for key in way:
        tree = tree[key]
    tree[last] = value
    return config


def renamed(path, name):
    config = copy.deepcopy(CONFIG)
    *way, last = path.split("/")
    tree = config
    for key in way:
        tree = tree[key]
    tree[name] = tree.pop(last)
    return config


def test_the_config_that_is_changed_here_is_fine():
    assert outcome(CONFIG) == []


@pytest.mark.parametrize("name", ["audit", "Audit", "ladder", "{x}", "../x", "a" * 101, "a\nb", "\ud800", 1, None])
def test_an_experiment_has_a_name_that_files_can_have(name):
    (said,) = outcome(renamed("experiments/mine", name))
    assert said.startswith("experiments")


def test_an_experiment_may_have_the_name_of_a_field():
    assert outcome(renamed("experiments/mine", "settings")) == []
    config = renamed("experiments/mine", "settings")
    config["experiments"]["settings"]["figur"] = config["experiments"]["settings"].pop("figure")
    assert outcome(config) == [
        "experiments.settings.figure is missing: must be given",
        "experiments.settings.figur is not a known field here: did you mean figure?",
    ]


def test_a_label_may_have_braces_and_no_line_break():
    assert outcome(renamed("experiments/mine/settings/ADMM", "{x}")) == []
    (said,) = outcome(renamed("experiments/mine/settings/ADMM", "a\nb"))
    assert said.startswith(r"experiments.mine.settings has 'a\nb' as a name: ")


@pytest.mark.parametrize("value", [10**30, -(10**30), 10**400, 1e-320, b"x", {1, 2}, (1, 2), "\ud800"])
@pytest.mark.parametrize("field", ["seed", "iterations", "problem/C", "split/seed", "network/law"])
def test_what_no_field_can_mean_is_refused_with_its_name(field, value):
    (said,) = outcome(changed(f"defaults/{field}", value))
    assert said.startswith(f"defaults.{field.replace('/', '.')} = ")


def test_text_that_no_file_can_hold_is_refused():
    (said,) = outcome(changed("defaults/network", {"law": "file", "path": "\ud800"}))
    assert said.endswith("must be text that can be written, without halves of characters")


def test_a_section_that_contains_itself_is_refused():
    config = copy.deepcopy(CONFIG)
    config["defaults"]["network"]["inside"] = config["defaults"]
    (said,) = outcome(config)
    assert said == "defaults.network.inside.network…: must have at most 30 sections within each other"


def test_a_long_value_is_not_quoted_in_full():
    (said,) = [line for line in outcome(changed("defaults/network/law", LOUD)) if "network.law" in line]
    assert "(1000002 characters)" in said


@pytest.mark.parametrize("field", ["plugins", "local_files"])
def test_a_path_that_snakemake_would_take_for_a_wildcard_is_refused(field):
    value = ["a{x}.py"] if field == "plugins" else {"adult.data": "data/{x}"}
    (said,) = outcome({**CONFIG, field: value})
    assert said.endswith("must be a path without { and }, which Snakemake takes for wildcards")


COSTLY = {
    "network": ({"law": "complete", "nodes": 100_000}, "must be at most 100000 nodes and 5000000 edges"),
    "data": ({"name": "synthetic", "rows": 10**9, "features": 10**6}, "must have a product of at most 500000000"),
    "iterations": (10**7, "must be less than or equal to 100000"),
    "runs": (10**9, "must be less than or equal to 10000"),
}


@pytest.mark.parametrize("field", COSTLY)
def test_what_would_fill_the_memory_is_refused_first(field):
    """By the limit that is its own: another may refuse it as well, and not what is just beyond this one."""
    value, limit = COSTLY[field]
    said = outcome(changed(f"defaults/{field}", value))
    assert said
    assert all(limit in sentence for sentence in said)


@pytest.mark.parametrize(
    ("part", "limit"),
    [({"runs": 10_000, "iterations": 100_000}, "runs = 10000 and iterations = 100000: must have a product of at most"),
     ({"runs": 9_999, "data": {"name": "synthetic", "rows": 60, "features": 10_000}}, "must be at most 5000, as the")],
)  # fmt: skip
def test_what_fits_one_by_one_must_fit_together(part, limit):
    config = copy.deepcopy(CONFIG)
    config["defaults"].update(part)
    said = outcome(config)
    assert said
    assert all(limit in sentence for sentence in said)


@pytest.mark.parametrize("bound", [1000.0, {"same_as": "R-ADMM"}])
def test_a_bound_over_many_iterations_is_left_to_the_step_that_finds_the_noise(bound):
    config = changed("defaults/iterations", 100_000)
    config["experiments"]["mine"]["settings"]["Budget"]["noise"] = {"kind": "objective", "total_bound": bound}
    begin = time.process_time()
    assert outcome(config) == []
    assert time.process_time() - begin < 2


def test_a_schedule_knows_its_fields():
    config = changed("experiments/mine/settings/R-ADMM/noise/alpha", {"scale": 1.0, "ratoi": 1.1})
    (said,) = outcome(config)
    assert said.endswith("noise.alpha.ratoi is not a known field here: did you mean ratio?")


def test_a_grid_is_counted_before_it_is_made():
    config = changed("defaults/problem/rho", list(range(1, 1001)))
    config["defaults"]["seed"] = list(range(1000))
    config["defaults"]["initial_scale"] = list(range(1, 101))
    assert "the grid has 100000000 settings" in outcome(config)[0]
