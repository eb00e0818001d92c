"""Looks of a replication: which settings each adds, where a replication stops, and when its verdicts may be used."""

import json
from pathlib import Path

import pytest
import yaml

from radmm.base.errors import InputError
from radmm.jobs.replication import planned_looks, usable_looks
from radmm.study.claims_sections import ClaimsSection
from radmm.study.grids import merge
from radmm.study.noise_budget import NoiseBudget
from radmm.study.replication import on_pair
from radmm.study.validation import parse_config

ROOT = Path(__file__).parent.parent.parent
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
SMALL = {"looks": [2, 3], "runs": 3, "data": {"adult": {}}}


def config_of(replication, **more):
    return parse_config(merge(CONFIG, {"replication": replication, **more}))


@pytest.fixture(scope="module")
def config():
    return config_of(SMALL)


def write_look(folder, pairs, still_open=(), **more):
    content = {"data": "adult", "pairs": pairs, "open": dict(still_open), "experiments": "e"}
    content |= ClaimsSection().model_dump() | more
    folder.mkdir(exist_ok=True)
    (folder / f"replication_{content['data']}_{pairs}.json").write_text(json.dumps(content))


def test_a_pair_has_a_split_a_graph_and_noise_of_its_own(config):
    pair = on_pair(config, {"data": "adult", "runs": 3}, 1003)
    settings = [entry.setting for entries in pair.values() for entry in entries]
    assert {(each.seed, each.split.seed, each.network.seed) for each in settings} == {(1003, 1003, 1003)}
    assert {each.runs for each in settings if each.algorithm.name != "admm"} == {3}
    assert {entry.setting.runs for entry in pair["fig2"]} == {1}  # which the setting says itself
    assert [len(pair[name]) for name in ("fig1a", "fig2", "fig5")] == [10, 10, 19]
    assert "topology" not in pair


def test_bounds_of_other_settings_are_those_of_the_same_pair(config):
    pair = on_pair(config, {"data": "adult", "runs": 3}, 1003)
    asking = [entry for entry in pair["fig5"] if isinstance(entry.setting.noise, NoiseBudget)]
    assert len(asking) == 6
    assert {entry.setting.reference for entry in asking} <= {
        entry.id for entry in pair["fig5"] if entry.label == "R-ADMM"
    }


def test_an_experiment_may_ask_for_a_budget_in_place_of_a_noise_that_fits_one_graph():
    budget = {"sigma": None, "total_epsilon": 0.8, "delta": 1e-05}
    config = config_of(SMALL | {"experiments": {"fig5_epsilon": {"noise": budget}}})
    pair = on_pair(config, {"data": "adult", "runs": 3}, 1003)
    assert {entry.setting.noise.total_epsilon for entry in pair["fig5_epsilon"]} == {0.8}
    assert not any(isinstance(entry.setting.noise, NoiseBudget) for entry in pair["fig4"])


def test_looks_are_planned_as_far_as_their_predecessors_tell_what_is_open(config, tmp_path):
    (first,) = planned_looks(config, tmp_path)
    assert (first.name, first.previous, list(first.pairs)) == ("replication_adult_2", None, [1000, 1001])
    write_look(tmp_path, 2, {"growth-helps": [{"α": 1.0, "q_1": "1.01 → 1.02", "metric": "loss"}]})
    again, second = planned_looks(config, tmp_path)
    assert again.digest == first.digest
    assert (second.name, second.previous, list(second.pairs)) == ("replication_adult_3", first.name, [1002])
    points = [entry.grid_point for entry in second.pairs[1002]["fig4"]]
    assert [(point["noise.alpha"], point["algorithm.penalty.ratio"]) for point in points] == [(1.0, 1.01), (1.0, 1.02)]


def test_no_look_is_planned_after_the_last_or_when_all_is_decided(config, tmp_path):
    write_look(tmp_path, 2)
    assert len(planned_looks(config, tmp_path)) == 1
    case = {"N": 5, "algorithm": "R-ADMM", "over": "ADMM", "equal": "P(T)", "budget": "that of α = 1", "metric": "loss"}
    write_look(tmp_path, 2, {"outperform": [case]})
    write_look(tmp_path, 3, {"outperform": [case]})
    _, second = planned_looks(config, tmp_path)
    assert {(entry.experiment, entry.label) for entry in second.entries} == {("fig5", "R-ADMM"), ("fig5", "ADMM")}


def test_cases_at_a_budget_to_be_calibrated_get_more_pairs(tmp_path):
    budget = {"sigma": None, "total_epsilon": 0.8, "delta": 1e-05}
    config = config_of(SMALL | {"experiments": {"fig5_epsilon": {"noise": budget}}})
    case = {"N": 5, "algorithm": "R-ADMM", "over": "M-ADMM", "equal": "(ε, δ)", "budget": "ε = 0.8", "metric": "loss"}
    write_look(tmp_path, 2, {"outperform": [case]})
    _, second = planned_looks(config, tmp_path)
    assert {(entry.experiment, entry.label) for entry in second.entries} == {
        ("fig5_epsilon", "R-ADMM"),
        ("fig5_epsilon", "M-ADMM"),
    }


def test_without_a_section_nothing_is_planned(tmp_path):
    assert planned_looks(parse_config(CONFIG), tmp_path) == []


def test_a_look_counts_only_for_the_experiments_and_margins_it_was_made_with(tmp_path):
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    write_look(shipped, 20)
    write_look(shipped, 40)
    write_look(shipped, 20, data="bank")
    write_look(own, 10)
    found = usable_looks([own, shipped], "e", ClaimsSection())
    assert {look["data"]: look["pairs"] for look in found} == {"adult": 10, "bank": 20}
    assert usable_looks([own, shipped], "another", ClaimsSection()) == []
    stricter = ClaimsSection(margins={"test_error": 0.001, "loss": 0.02, "ratio": 0.1})
    assert usable_looks([own, shipped], "e", stricter) == []
    assert usable_looks([tmp_path / "none"], "e", ClaimsSection()) == []


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        (SMALL | {"looks": [10, 10]}, "replication.looks = [10, 10]: must grow, but after 10 pairs comes 10"),
        (SMALL | {"looks": [20, 10]}, "replication.looks = [20, 10]: must grow, but after 20 pairs comes 10"),
        (SMALL | {"looks": []}, "replication.looks = []: must have at least one entry"),
        (SMALL | {"looks": [1]}, "must be greater than or equal to 2"),
        (SMALL | {"runs": 0}, "replication.runs = 0: must be greater than or equal to 1"),
    ],
)
def test_looks_that_make_no_sense_are_refused(section, sentence):
    with pytest.raises(InputError) as error:
        config_of(section)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("margins", "sentence"),
    [
        ({"test_error": 0.0}, "claims.margins.test_error = 0.0: must be greater than 0"),
        ({"loss": -0.1}, "claims.margins.loss = -0.1: must be greater than 0"),
        ({"ratio": None}, "claims.margins.ratio = None: must be a valid number"),
        ({"los": 0.1}, "claims.margins.los is not a known field here: did you mean loss?"),
    ],
)
def test_margins_that_make_no_sense_are_refused(margins, sentence):
    with pytest.raises(InputError) as error:
        config_of(SMALL, claims={"margins": margins})
    assert str(error.value) == sentence


def test_a_missing_margin_is_named():
    whole = {**CONFIG, "claims": {"margins": {"test_error": 0.002, "loss": 0.02}}}
    with pytest.raises(InputError, match="claims.margins.ratio is missing: must be given"):
        parse_config(whole)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"bank": {"split": {"train": 50_000}}}, "split.train"),
        ({"nowhere": {}}, "nowhere"),
    ],
)
def test_a_data_set_without_enough_rows_is_refused_before_anything_runs(data, sentence, tmp_path):
    config = config_of(SMALL | {"data": data})
    with pytest.raises(InputError) as error:
        planned_looks(config, tmp_path)
    assert sentence in str(error.value)
