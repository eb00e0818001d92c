"""What a dry run tells: as many settings as the jobs would then solve, and as many searches as would run."""

import re

import numpy as np
import pytest

import radmm.jobs.calibrations
import radmm.jobs.forecast
from radmm.base.store import provenance
from radmm.command.config_overview import as_text, overview
from radmm.data.prepared_files import write_split
from radmm.data.split import split_rows
from radmm.jobs.batches import SearchBatch, make_search_batches
from radmm.jobs.estimates import table_seconds
from radmm.jobs.forecast import Forecast, duration
from radmm.jobs.steps.calibrate import run_searches
from radmm.jobs.study import Study
from radmm.privacy.noise_laws import Law
from radmm.results import planned_curves
from radmm.results.planned_curves import SECONDS
from radmm.study.searches import searches_of
from tests.jobs.made_project import CONFIG
from tests.jobs.test_batches import Work, one_batch, planned, setting

GRID = [setting(1), setting(2, split=1, nodes=4), setting(3, split=1, nodes=4)]


def budget(seed, bound=9.0, **others):
    return setting(seed, noise={"kind": "objective", "total_bound": bound}, **others)


class Searched(Work):
    """A folder in which searches run, too."""

    def search(self, *settings):
        found = searches_of(planned(*settings))
        for batch in make_search_batches({"a": planned(*settings)}, 1e6, found).values():
            paths = [self.folder / "searches" / f"{name}.json" for name in batch.searches]
            with provenance():
                run_searches(batch, [], str(self.cache), paths)

    def forecast(self, *anew, cores=1):
        return Forecast(self.cache, self.inputs, set(anew), cores)

    def told(self, *settings, anew=(), searched=(), cores=1):
        """What is said of a batch of these settings."""
        return self.forecast(*anew, cores=cores).of_settings([one_batch(*settings)], searched)


@pytest.fixture
def work(tmp_path):
    return Searched(tmp_path)


def test_nothing_would_run(work):
    assert work.forecast().of_settings([], ()).startswith("No setting would be solved")
    work.run(*GRID)
    assert work.told(*GRID).startswith("No setting would be solved")


def test_each_reason_is_counted(work, monkeypatch):
    assert work.told(*GRID).endswith(": 3 are new.")
    work.run(*GRID[:2])
    told = work.told(*GRID)  # in a batch of other settings, with other inputs: a job would look at each by itself
    assert told.startswith("1 setting would be solved, in about ")
    assert told.endswith(": 1 is new; 2 that share their jobs stay as they are.")
    (work.cache / "traces" / f"{GRID[0].id}.parquet").write_bytes(b"cut")
    assert "1 is damaged" in work.told(*GRID)
    monkeypatch.setattr(radmm.jobs.forecast, "solver_digest", lambda _: "another")
    assert "1 is made by other code" in work.told(*GRID)


@pytest.mark.parametrize(("kind", "number"), [("features", 3), ("split", 2), ("network", 2)])
def test_a_file_that_would_be_made_again_is_told_of_those_settings_that_read_it(work, kind, number):
    work.run(*GRID)
    told = work.told(*GRID, anew=[getattr(work.inputs.paths(GRID[1]), kind)])
    assert told.startswith(f"Up to {number} settings would be solved")
    assert f"{number} are made from data, network or noise that may be others now" in told


def test_a_file_that_is_another_now_is_told_of_those_settings_that_read_it(work):
    work.run(*GRID)
    write_split(work.paths(split=1).split, split_rows(40, 30, None, 7))
    told = work.told(*GRID, setting(4))
    assert told.startswith("3 settings would be solved")
    assert all(part in told for part in ("2 are made from other data, network or noise", "1 is new", "; 1 that share"))


def number(told):
    return int(re.match(r"(\d+) settings? would be solved|No setting", told)[1] or 0)


@pytest.mark.parametrize("seeds", [(1, 2, 3), (1, 2, 3, 4, 5), (7,)], ids=str)
def test_the_jobs_then_solve_as_many(work, solved_seeds, seeds):
    """A grid that grows, with budgets whose searches are known: others in the same jobs don't count."""
    before = [budget(seed) for seed in (1, 2, 3)]
    work.search(*before)
    work.run(*before)
    solved_seeds.clear()
    grown = [budget(seed) for seed in seeds]
    told = work.told(*grown)
    work.run(*grown)
    assert number(told) == len(solved_seeds) == len(set(seeds) - {1, 2, 3})


@pytest.fixture
def solved_seeds(monkeypatch):
    seeds = []
    write = radmm.jobs.steps.batch.write_trace

    def counting(each, *others):
        seeds.append(each.seed)
        write(each, *others)

    monkeypatch.setattr(radmm.jobs.steps.batch, "write_trace", counting)
    return seeds


def test_noise_that_is_searched_again_may_be_another(work):
    settings = [budget(1), budget(2), budget(3, bound=12.0)]
    work.search(*settings)
    work.run(*settings)
    assert work.told(*settings).startswith("No setting")
    (again,) = {search.name for search in searches_of(planned(settings[2])).values()}
    assert work.told(*settings, searched=[again]).startswith("Up to 1 setting would be solved")
    assert work.told(*settings, setting(4), searched=[again]).startswith("1 to 2 settings would be solved")


def test_a_search_that_was_kept_does_not_run_again(work, monkeypatch):
    found = searches_of(planned(budget(1), budget(2), budget(3, bound=12.0)))
    (batch,) = make_search_batches({"a": planned(budget(1), budget(3, bound=12.0))}, 1e6, found).values()
    assert work.forecast().searched([batch]) == batch.costs
    assert work.forecast().of_searches(batch.costs).startswith("2 searches for noise would run, in about ")
    work.search(budget(2))
    wanted = found[budget(3, bound=12.0).id].name
    assert set(work.forecast().searched([batch])) == {wanted}
    monkeypatch.setattr(radmm.jobs.calibrations, "search_digest", lambda _: "another")
    assert len(work.forecast().searched([batch])) == 2


def test_a_search_that_needs_data_runs_again_if_these_are_made_again(work):
    skewed = budget(1, partition={"law": "label-skew", "beta": 1.0, "seed": 0})
    (search,) = searches_of(planned(skewed)).values()
    assert search.needs_data
    batch = SearchBatch({search.name: 1.0}, {search.name: search})
    kept = work.cache / "searches" / f"{search.name}.json"
    radmm.jobs.calibrations.write_search(kept, search, "inputs", search.find(lambda _: np.array([10, 12, 8])))
    assert work.forecast().searched([batch]) == {}
    assert work.forecast(work.inputs.paths(skewed).split).searched([batch]) == {search.name: 1.0}


@pytest.mark.parametrize(
    ("cost", "cores", "told"), [(19.7, 1, "60 s"), (19.7, 2, "30 s"), (1000, 1, "50 min"), (3600, 1, "3.0 h")]
)
def test_time_is_that_of_what_runs(work, cost, cores, told):
    batch = one_batch(*GRID)
    batch.costs.update(dict.fromkeys(batch.costs, cost))
    assert f"in about {told}:" in work.forecast(cores=cores).of_settings([batch], ())
    work.run(*GRID[:2])
    assert f"in about {told}:" not in work.forecast(cores=cores).of_settings([batch], ())


NOISE = {"kind": "objective", "alpha": [1.0, 2.0]}


def grid(noise):
    """A study of ten settings: two noises, five seeds."""
    own = {"figure": "comparison", "settings": {"R-ADMM": {"algorithm": {"name": "r-admm"}, "noise": noise}}}
    defaults = CONFIG["defaults"] | {"seed": [0, 1, 2, 3, 4]}
    return Study.of({"shipped": False, "defaults": defaults, "experiments": {"mine": own}})


def test_tables_are_told_with_the_curves_that_they_still_need(work, monkeypatch, tmp_path):
    monkeypatch.setenv("RADMM_CURVES", str(tmp_path / "none"))
    assert work.forecast().of_tables(grid(NOISE), []) == []
    (told,) = work.forecast().of_tables(grid(NOISE), ["mine"])
    seconds = table_seconds(10, 10) + 2 * SECONDS[Law.EXPONENTIAL_NORM]
    assert told == f"1 table would be made, in about {duration(seconds)}."


def test_a_table_that_will_have_the_cap_says_so_beforehand(work, monkeypatch):
    study = grid(NOISE)
    monkeypatch.setattr(planned_curves, "MOST_SECONDS", 3.0)
    _, told = work.forecast().of_tables(study, ["mine"])
    assert told.startswith("Table mine: epsilon_shift-cap, which is larger, replaces epsilon_shift where ")
    assert "calibrate: 2 curves would take 5 s" in told
    assert told in as_text(overview(study))
    by_shift = {"kind": "objective", "total_epsilon": [1.0, 2.0], "delta": 1e-5}
    assert len(work.forecast().of_tables(grid(by_shift), ["mine"])) == 1
