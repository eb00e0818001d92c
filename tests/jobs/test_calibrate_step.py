"""Batches of searches: each runs once, keeps what it has found whatever becomes of its job, and says what failed."""

import json
import os
import signal
import warnings

import pytest

import radmm.jobs.calibrations
from radmm.base.errors import InputError
from radmm.base.store import PARTIAL, fault, provenance
from radmm.jobs.batches import make_search_batches
from radmm.jobs.steps.calibrate import gather, run_searches
from radmm.study.budgets import calibrate, known_bound
from radmm.study.entries import Entry
from radmm.study.searches import Search, searches_of
from radmm.study.setting_facts import known_facts
from tests.jobs.test_batches import setting

BOUNDS = (9.0, 10.0, 11.0, 12.0)


def asking(seed, bound):
    return setting(seed, noise={"kind": "objective", "total_bound": bound})


ENTRIES = [Entry("a", "A", {}, asking(seed, bound)) for seed in (1, 2, 3) for bound in BOUNDS]


class Searches:
    """A folder in which the searches of some entries run, in one job."""

    def __init__(self, folder, entries=ENTRIES):
        self.folder, self.cache, self.found = folder, folder / ".resume", searches_of(entries)
        (self.batch,) = make_search_batches({"a": entries}, 1e6, self.found).values()

    @property
    def outputs(self):
        return [self.folder / "searches" / f"{name}.json" for name in self.batch.searches]

    @property
    def kept(self):
        return sorted(path.stem for path in (self.cache / "searches").glob("[!.]*") if not fault(path))

    def run(self):
        with provenance():
            run_searches(self.batch, [], str(self.cache), self.outputs)

    def gathered(self):
        noise = self.folder / "a.json"
        gather({name: search.name for name, search in self.found.items()}, self.outputs, noise)
        return json.loads(noise.read_text())


@pytest.fixture
def work(tmp_path):
    return Searches(tmp_path)


@pytest.fixture
def found(monkeypatch):
    """The bounds that are really searched for, in order; one of 13 brings bad luck."""
    bounds, find = [], Search.find

    def counting(search, row_counts):
        bounds.append(search.draws[0].noise.total_bound)
        if bounds[-1] == 13.0:
            raise InputError("bad luck")
        return find(search, row_counts)

    monkeypatch.setattr(Search, "find", counting)
    return bounds


def test_each_search_runs_once_for_all_its_settings(work, found):
    work.run()
    assert sorted(found) == sorted(BOUNDS)
    gathered = work.gathered()
    assert len(gathered) == len(ENTRIES)
    for entry in ENTRIES:
        alone = calibrate(entry.setting, known_facts(entry.setting), known_bound(entry.setting, None))
        assert gathered[entry.id]["noise"]["alpha"] == alone.alpha
        assert gathered[entry.id]["total_bound"] == entry.setting.noise.total_bound
    work.run()
    assert len(found) == len(BOUNDS)


def test_a_search_of_two_experiments_is_in_one_batch():
    both, one = ENTRIES[:1], ENTRIES[:3]
    searches = searches_of([*both, *one])
    batches = make_search_batches({"a": one, "b": both}, 1e6, searches).values()
    assert sorted(len(batch.searches) for batch in batches) == [1, 2]
    alone = make_search_batches({"a": one, "b": both}, 0, searches).values()
    assert sorted(name for batch in alone for name in batch.searches) == sorted(
        {each.name for each in searches.values()}
    )


def test_a_killed_job_keeps_what_it_has_found(work, found):
    """With kill -9 in the midst of the third search."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork where a library has threads
        child = os.fork()
    if not child:
        find = Search.find
        Search.find = lambda *given: os.kill(os.getpid(), signal.SIGKILL) if len(found) == 2 else find(*given)
        work.run()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert len(work.kept) == 2
    assert not any(path.exists() for path in work.outputs)
    work.run()
    assert len(found) == len(BOUNDS) - 2  # this process had found none
    assert len(work.kept) == len(BOUNDS)


def test_other_code_searches_again(work, found, monkeypatch):
    work.run()
    monkeypatch.setattr(radmm.jobs.calibrations, "search_digest", lambda _: "another")
    work.run()
    assert sorted(found) == sorted(2 * BOUNDS)


def test_a_damaged_file_is_made_again(work, found, capsys):
    work.run()
    (work.cache / "searches" / f"{work.kept[0]}.json").write_text("half of it")
    work.run()
    assert len(found) == len(BOUNDS) + 1
    assert "it is made again" in capsys.readouterr().err
    assert all(not fault(path) for path in work.outputs)


@pytest.mark.usefixtures("found")
def test_one_failure_does_not_stop_the_others(tmp_path, capsys):
    work = Searches(tmp_path, [*ENTRIES, Entry("a", "B", {}, asking(1, 13.0))])
    with pytest.raises(SystemExit, match="^error: 1 of 5 searches failed$"):
        work.run()
    assert len(work.kept) == len(BOUNDS)
    assert not any(path.exists() for path in work.outputs)
    assert " failed: bad luck\n" in capsys.readouterr().err


def test_what_a_killed_job_was_writing_is_removed(work):
    searches = work.cache / "searches"
    searches.mkdir(parents=True)
    own = next(iter(work.batch.searches))
    left, other = (searches / f"{PARTIAL}.{name}.0123abcd.json" for name in (own, "other"))
    for path in (left, other):
        path.touch()
    work.run()
    assert (left.exists(), other.exists()) == (False, True)
    assert work.outputs[0].stat().st_ino == (searches / work.outputs[0].name).stat().st_ino
