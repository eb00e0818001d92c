"""The curves that are package data: they are what is needed, and what comes out when they are made again."""

import numpy as np
import pytest

from radmm.jobs.steps.curves import rows_needed
from radmm.privacy.curves import cache, removal_addition
from radmm.privacy.curves.compiled import library
from radmm.privacy.noise_laws import Law
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(library() is None, reason="without the compiled program less effort is made")


@pytest.fixture(scope="module")
def needed():
    return rows_needed(ROOT / "config" / "config.yaml")


def test_neither_a_table_nor_the_ladder_waits_for_a_curve(needed):
    _, shipped = cache._package_data()
    assert {f"{cache.VERSION} {removal_addition.key_of(each)}" for each in needed} == set(shipped)


@pytest.mark.parametrize("law", list(Law))
def test_a_curve_made_again_is_the_same_and_no_higher(needed, law, tmp_path, monkeypatch):
    (some, *_) = (each for each in needed if each.law == law and each.form == "logistic" and each.shift > 0.02)
    shipped = removal_addition.points(some)
    monkeypatch.setenv("RADMM_CURVES", str(tmp_path))
    monkeypatch.setattr(cache, "_shipped", lambda named: None)
    again = removal_addition.points(some)
    for name in cache.FIELDS:
        kept, made = shipped[name], again[name]
        assert np.all(kept >= made)  # single precision is rounded up
        np.testing.assert_allclose(kept, made, rtol=3e-7, atol=1e-40)


def test_package_data_are_the_least_numbers_of_single_precision_that_are_no_lower(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "shipped.npz")
    exact = {name: np.random.default_rng(0).random(50) for name in cache.FIELDS}
    cache.ship({"some": exact})
    monkeypatch.setattr(cache, "_package_data", cache._package_data.__wrapped__)  # what was read before is remembered
    stored = cache._shipped.__wrapped__(f"{cache.VERSION} some")
    for name, values in exact.items():
        less = np.nextafter(stored[name].astype(np.float32), np.float32(-np.inf))
        assert np.all(less < values)
        assert np.all(values <= stored[name])
