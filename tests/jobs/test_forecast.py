"""What a dry run tells."""

from pathlib import Path

import pytest

from radmm.base.store import write_parquet
from radmm.jobs.forecast import forecast
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import solver_digest
from tests.jobs.test_batches import one_batch, setting

FILES = InputFiles(Path("data"), Path("networks"))


@pytest.fixture
def batch():
    return one_batch(*(setting(seed) for seed in (1, 2, 3)))


def write(folder, batch, *codes):
    for name, code in zip(batch.settings, codes, strict=False):
        metadata = {"code": code or solver_digest(batch.settings[name])}
        write_parquet(folder / f"{name}.parquet", {"run": [0]}, metadata)


def test_nothing_would_run(tmp_path, batch):
    assert forecast([], FILES, 1, tmp_path).startswith("No setting would be solved")
    write(tmp_path, batch, None, None, None)
    assert forecast([(batch, set())], FILES, 1, tmp_path).startswith("No setting would be solved")


def test_each_reason_is_counted(tmp_path, batch):
    assert forecast([(batch, set())], FILES, 1, tmp_path).endswith(": 3 are new.")
    write(tmp_path, batch, None, "older")
    told = forecast([(batch, set())], FILES, 1, tmp_path)
    assert told.startswith("2 settings would be solved, in about ")
    assert told.endswith(": 1 is made by other code; 1 is new; 1 that share their jobs stay as they are.")
    changed = forecast([(batch, {Path("calibrations.json")})], FILES, 1, tmp_path)
    assert changed.startswith("3 settings")
    assert "1 is made from data, network or noise that may be others now" in changed
    (tmp_path / f"{next(iter(batch.settings))}.parquet").write_bytes(b"cut")
    assert "1 is damaged" in forecast([(batch, set())], FILES, 1, tmp_path)


@pytest.mark.parametrize(("kind", "number"), [("features", 3), ("split", 2), ("network", 2)])
def test_a_file_that_changed_is_told_of_those_settings_that_read_it(tmp_path, kind, number):
    batch = one_batch(setting(1), setting(2, split=1, nodes=4), setting(3, split=1, nodes=4))
    write(tmp_path, batch, None, None, None)
    changed = getattr(FILES.paths(setting(3, split=1, nodes=4)), kind)
    assert forecast([(batch, {changed})], FILES, 1, tmp_path).startswith(f"{number} settings would be solved")


@pytest.mark.parametrize(
    ("cost", "cores", "told"), [(19.7, 1, "60 s"), (19.7, 2, "30 s"), (1000, 1, "50 min"), (3600, 1, "3.0 h")]
)
def test_time_is_that_of_what_runs(tmp_path, batch, cost, cores, told):
    batch.costs.update(dict.fromkeys(batch.costs, cost))
    assert f"in about {told}:" in forecast([(batch, set())], FILES, cores, tmp_path)
    write(tmp_path, batch, None, None)
    assert f"in about {told}:" not in forecast([(batch, set())], FILES, cores, tmp_path)
