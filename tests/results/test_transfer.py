"""Choices on other data sets, against the same by plain loops; what they may not depend on."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.results.frontier.judgement import OTHER, judged
from radmm.results.frontier.selection import TunedBudget
from radmm.results.frontier.transfer import chosen_elsewhere

STEPS, SIGMAS, ROUNDS, SEEDS = (0.1, 1.0), (2.0, 4.0, 8.0), (1, 4), (100, 0, 1)
CANDIDATES = {f"{step}-{sigma}": (step, sigma) for step, sigma in itertools.product(STEPS, SIGMAS)}
BUDGET = TunedBudget("replace", 1.0)


def group(data_set, errors, rows=1.0, averages=True):
    """A method's runs on a data set: √rounds/σ is spent, less the more rows there are.

    Args:
        errors: Test errors, (candidate, rounds, last or average); seeds add a number of their own.
    """
    measured = pd.DataFrame(
        [
            {
                "stage": "selection" if seed >= 100 else "judgement",
                "seed": seed,
                "setting": f"{data_set}-{name}",
                "iteration": rounds,
                "error_rate": errors[place, when, 0] + 0.01 * seed,
                "error_rate_average": errors[place, when, 1] + 0.01 * seed,
                **dict.fromkeys(("error_rate_worst", "error_rate_worst_average", "messages", "floats_sent"), 1.0),
            }
            for place, name in enumerate(CANDIDATES)
            for when, rounds in enumerate(ROUNDS)
            for seed in SEEDS
        ]
    )
    spent = {
        f"{data_set}-{name}": [float(np.sqrt(rounds) / sigma / rows) for rounds in ROUNDS]
        for name, (_, sigma) in CANDIDATES.items()
    }
    points = {
        f"{data_set}-{name}": {"algorithm.step": step, "noise.sigma": sigma}
        for name, (step, sigma) in CANDIDATES.items()
    }
    about = {"data_set": data_set, "cell": "N = 5", "method": "DGD", "rounds": list(ROUNDS), "averages": averages}
    about |= {"points": points, "spent": {"replace": spent}, "candidates": {name: {"noise": {}} for name in points}}
    return measured, about


def plain(groups, target):
    """The same by loops: for each way the least σ that fits, then the way of least mean regret on the others."""
    fits = []
    for data_set, errors, rows in groups:
        found = {}
        for step, (when, rounds), averaged in itertools.product(STEPS, enumerate(ROUNDS), (0, 1)):
            allowed = [sigma for sigma in SIGMAS if np.sqrt(rounds) / sigma / rows <= BUDGET.epsilon]
            if allowed:
                place = list(CANDIDATES.values()).index((step, min(allowed)))
                found[step, rounds, averaged] = errors[place, when, averaged], f"{data_set}-{step}-{min(allowed)}"
        fits.append(found)
    own, others = fits[target], [fit for place, fit in enumerate(fits) if place != target]
    ways = [way for way in own if all(way in fit for fit in others)]
    regrets = {way: sum(fit[way][0] - min(error for error, _ in fit.values()) for fit in others) for way in ways}
    return regrets, own


tables = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).random((3, len(CANDIDATES), 2, 2)))


@settings(max_examples=40, deadline=None)
@given(tables, st.lists(st.sampled_from([0.3, 0.5, 1.0, 2.0]), min_size=3, max_size=3))
def test_the_choice_is_that_of_least_mean_regret_on_the_others(errors, rows):
    said = list(zip(("one", "two", "three"), errors, rows, strict=True))
    found = list(chosen_elsewhere([group(*each) for each in said], [BUDGET]))
    for target, (_, about) in enumerate(found):
        regrets, own = plain(said, target)
        if not regrets:
            assert about["chosen"] == []
            continue
        (choice,) = about["chosen"]
        (step,) = [about["points"][choice["setting"]]["algorithm.step"]]
        way = step, choice["rounds"], int(choice["averaged"])
        assert regrets[way] == pytest.approx(min(regrets.values()), abs=1e-12)
        assert choice["setting"] == own[way][1]
        assert choice["spent"] <= BUDGET.epsilon


def test_a_choice_does_not_depend_on_the_rows_that_it_is_judged_on():
    errors = np.random.default_rng(1).random((3, len(CANDIDATES), 2, 2))
    others = [group("two", errors[1]), group("three", errors[2])]
    choices = [
        next(iter(chosen_elsewhere([group("one", own), *others], [BUDGET])))[1]["chosen"]
        for own in (errors[0], 1.0 - errors[0])
    ]
    assert choices[0] == choices[1]


def test_it_is_judged_on_the_judgement_seeds_of_its_own_data():
    errors = np.random.default_rng(2).random((2, len(CANDIDATES), 2, 2))
    groups = [group("one", errors[0]), group("two", errors[1])]
    table = judged(list(chosen_elsewhere(groups, [BUDGET])), OTHER)
    assert table["data_set"].tolist() == ["one", "two"]
    assert set(table["chosen_on"]) == {OTHER}
    first = table.iloc[0]
    place = list(CANDIDATES).index(first["setting"].removeprefix("one-"))
    own = errors[0][place, ROUNDS.index(first["rounds"]), int(first["averaged"])]
    assert first["error"] == pytest.approx(own + 0.005)  # the mean over the seeds 0 and 1, without 100


def test_averages_and_ways_without_all_seeds_are_left_out():
    errors = np.ones((2, len(CANDIDATES), 2, 2))
    errors[:, :, :, 1] = 0.0  # averages would be far better
    errors[:, 0] = 0.5  # and a candidate, of which a run has diverged
    groups = [group(name, own, averages=False) for name, own in zip(("one", "two"), errors, strict=True)]
    lost = [(rows[~(rows["setting"].str.endswith("0.1-2.0") & (rows["seed"] == 1))], about) for rows, about in groups]
    for whole, part in zip(chosen_elsewhere(groups, [BUDGET]), chosen_elsewhere(lost, [BUDGET]), strict=True):
        assert not whole[1]["chosen"][0]["averaged"]
        assert whole[1]["chosen"][0]["setting"].endswith("-0.1-2.0")
        assert not part[1]["chosen"][0]["setting"].endswith("-0.1-2.0")


def test_a_study_with_one_data_set_has_no_others():
    assert list(chosen_elsewhere([group("", np.zeros((len(CANDIDATES), 2, 2)))], [BUDGET])) == []
