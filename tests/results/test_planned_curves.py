"""Curves of a table, before it is made: how many, how long they take, and that searches make those they are said to."""

import pytest

import radmm.privacy.curves.removal_addition as curves
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.ledger import ledger_of
from radmm.results.planned_curves import MOST_SECONDS, SECONDS, planned_curves
from radmm.results.tables import total_epsilons
from radmm.study.entries import Entry
from radmm.study.searches import searches_of
from radmm.study.setting_facts import known_facts, known_row_counts, query_log_of
from tests.made_settings import made_setting

MOST = round(MOST_SECONDS / SECONDS["exponential-norm"])  # curves of exponential-norm noise
BUDGET = {"kind": "objective", "law": "gaussian", "total_epsilon": 3.0, "delta": 1e-5}


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """An empty folder of curves."""
    monkeypatch.setenv("RADMM_CURVES", str(tmp_path))
    return tmp_path


def planned(*settings):
    return planned_curves(settings, searches_of([Entry("a", "A", {}, each) for each in settings]))


def given(scale, name="alpha", **others):
    return made_setting(noise={"kind": "objective", name: scale}, **others)


def ledger(setting):
    return ledger_of(query_log_of(setting), known_facts(setting), setting.known_noise)


def test_settings_with_the_same_releases_need_the_same_curves():
    assert planned(made_setting()) == (0, 0.0, 0.0)
    one = planned(given(1.0))
    assert one.number == len(ShiftAccountant().rows_of(ledger(given(1.0)))) == 1
    assert one.missing == one.seconds == SECONDS["exponential-norm"]
    assert planned(given(1.0), given(1.0, seed=4), given(1.0, runs=7)) == one
    assert planned(given(1.0), given(2.0)).number == 2


def test_a_table_of_too_many_has_the_cap():
    alphas = [1.0 + number / 1000 for number in range(MOST + 1)]
    assert not planned(*map(given, alphas[1:])).capped
    assert planned(*map(given, alphas)).capped
    assert not planned(*(given(alpha, "sigma") for alpha in alphas)).capped  # curves of normal noise are quick


def test_curves_that_are_kept_take_no_time_but_count():
    setting = given(1.0, "sigma")
    (row,) = ShiftAccountant().rows_of(ledger(setting))
    before = planned(setting)
    curves.points(row)
    assert planned(setting) == (before.number, before.seconds, 0.0)


def test_a_total_bound_tells_its_noise_at_once():
    asked = made_setting(noise={"kind": "objective", "total_bound": 9.0})
    (search,) = searches_of([Entry("a", "A", {}, asked)]).values()
    found = search.find(known_row_counts).noise
    assert planned(asked, given(found.alpha)).number == planned(asked).number == 1


@pytest.mark.parametrize("accountant", ["renyi", "pld"])
def test_noise_that_another_accountant_is_to_find_has_curves_of_its_own(accountant):
    one, other = (made_setting(noise=BUDGET | {"accountant": accountant, "delta": delta}) for delta in (1e-5, 1e-6))
    assert planned(one).number == 1
    assert planned(one, other).number == 2


def test_rows_that_only_the_data_tell_are_taken_to_be_even():
    skewed = given(1.0, partition={"law": "label-skew", "beta": 1.0, "seed": 0})
    assert planned(skewed) == planned(given(1.0))


@pytest.mark.parametrize("relation", [{}, {"neighbours": "zero-out"}, {"rows": 2}], ids=str)
def test_a_search_by_the_shift_accountant_makes_all_curves_of_its_table(relation, monkeypatch):
    asked = made_setting(noise=BUDGET | relation)
    assert planned(asked) == (0, 0.0, 0.0)
    (search,) = searches_of([Entry("a", "A", {}, asked)]).values()
    found = asked.with_noise(search.find(known_row_counts).noise)
    made, make = [], curves._make
    monkeypatch.setattr(curves, "_make", lambda row, effort: (made.append(row.form), make(row, effort))[1])
    table = total_epsilons(ledger(found)).set_index("metric")
    assert "epsilon_shift_delta_1e-05" in table.index
    assert set(made) <= {curves.PLAIN}
    if not relation:
        assert table.loc["epsilon_shift_delta_1e-05", "mean"] <= 3.0
