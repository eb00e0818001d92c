"""Mutate a seeded sample of the code behind guarantees, and count what tests notice: `python -m tests.mutants`.

Cosmic Ray makes the mutants, each at another place, in copies of the project. A mutant is tried with the tests of the
folder that mirrors its module's, its own test file first, without those that `make quick` leaves out. What was found
is kept in `build/mutants.jsonl`, so that a run that was stopped goes on where it was. `tests/mutants.json` has the
score and the mutants that survived.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkResult

ROOT = Path(__file__).parent.parent
STORED = Path(__file__).with_suffix(".json")
FOUND = ROOT / "build" / "mutants.jsonl"
MODULES = sorted(
    path.relative_to(ROOT)
    for folder in ("radmm/privacy/**/*.py", "radmm/publication/*.py", "radmm/argmin/*.py", "radmm/base/store.py")
    for path in ROOT.glob(folder)
)
SEED = 0
UNIONS = "BitOr"  # in operators' names: | mostly joins types here, and such a mutant fails when it is imported
# A mutant may want all memory there is, or never end. Limited are CPU seconds, as a busy machine is no reason to fail.
LIMITS = "ulimit -v 4000000 -t 200"
MOST_SECONDS = 3_600.0
QUICK = "not slow and not faults and not bracket and not fuzz"


def sample(number: int) -> list[MutationSpec]:
    """Draw mutations at so many different places: a larger sample begins with a smaller one."""
    with tempfile.TemporaryDirectory() as folder, use_db(Path(folder) / "session.sqlite") as database:
        init(MODULES, database, {})
        found = [item.mutations[0] for item in database.work_items if UNIONS not in item.mutations[0].operator_name]
    found.sort(key=lambda one: (one.module_path, one.start_pos, one.operator_name, one.occurrence))
    places = [list(group) for _, group in itertools.groupby(found, key=lambda one: (one.module_path, one.start_pos))]
    source = random.Random(SEED)  # noqa: S311
    source.shuffle(places)
    return [source.choice(place) for place in places[:number]]


def tests_of(module: Path) -> list[str]:
    """Return the module's own test file, if it has one, and the nearest folder of tests that mirrors its folder."""
    inside = Path("tests", *module.parent.parts[1:])
    folder = next(path for path in (inside, *inside.parents) if (ROOT / path).is_dir())
    return [*map(str, sorted(folder.rglob(f"test_{module.stem}.py"))), str(folder)]


def command(tests: list[str]) -> str:
    """Return the shell command that runs tests within limits, until one fails."""
    pytest = f'{sys.executable} -m pytest -x -n0 -p no:cacheprovider -m "{QUICK}" {" ".join(tests)}'
    return f"bash -c '{LIMITS}; exec {pytest}'"


def enter_copy(folder: str) -> None:
    """Copy the project for one worker, whose mutants are made in that copy and imported from there."""
    copy = Path(folder) / str(os.getpid())
    unneeded = shutil.ignore_patterns(".git", ".venv", ".snakemake", "__pycache__", ".*_cache", "results", "data")
    shutil.copytree(ROOT, copy, ignore=lambda at, names: unneeded(at, names) if Path(at) == ROOT else [])
    os.chdir(copy)
    os.environ["PYTHONPATH"] = str(copy)


def outcome(mutation: MutationSpec, until: float) -> WorkResult | None:
    """Try a mutant; return None if the time was up."""
    if time.time() > until:
        return None
    return mutate_and_test([mutation], command(tests_of(mutation.module_path)), MOST_SECONDS)


def name_of(mutation: MutationSpec) -> str:
    """Return a name of a mutant that no other has."""
    line, column = mutation.start_pos
    return f"{mutation.module_path}:{line}:{column} {mutation.operator_name} {mutation.occurrence}"


def described(mutation: MutationSpec, result: WorkResult) -> dict[str, str]:
    """Return where a mutant is, which lines it changes, and whether tests noticed it."""
    changed = [line for line in result.diff.splitlines() if line[:1] in "-+" and line[:3] not in ("---", "+++")]
    place = f"{mutation.module_path}:{mutation.start_pos[0]}"
    outcome = result.test_outcome.value
    return {"mutant": name_of(mutation), "place": place, "change": "\n".join(changed), "outcome": outcome}


def found_before(commit: str) -> dict[str, dict[str, str]]:
    """Return what a run of the same commit found before it was stopped, by the mutants' names."""
    if not FOUND.exists():
        return {}
    first, *lines = FOUND.read_text(encoding="utf-8").splitlines()
    return {one["mutant"]: one for one in map(json.loads, lines)} if json.loads(first) == {"commit": commit} else {}


def sentence() -> str:
    """Return the score as docs/reliability.md has it."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    noticed = stored["tried"] - len(stored["survived"])
    return (
        f"When mutants were last tried, tests noticed {noticed} of {stored['tried']} "
        f"({noticed / stored['tried']:.0%}; {stored['drawn']} were drawn).\n"
    )


def tried_now(drawn: list[MutationSpec], until: float, number: int) -> Iterator[dict[str, str]]:
    """Try mutants side by side, and tell of each as soon as it was tried.

    Args:
        drawn: Mutants to try.
        until: Time after which none is begun.
        number: How many are tried at a time.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(number, initializer=enter_copy, initargs=(folder,)) as workers,
    ):
        folders = sorted({tests_of(mutation.module_path)[-1] for mutation in drawn})
        if workers.submit(run_tests, command(folders), MOST_SECONDS).result()[0] != TestOutcome.SURVIVED:
            sys.exit("error: tests fail without any mutant")
        begun = {workers.submit(outcome, mutation, until): mutation for mutation in drawn}
        for done in as_completed(begun):
            result = done.result()
            if result is not None and result.test_outcome in (TestOutcome.KILLED, TestOutcome.SURVIVED):
                yield described(begun[done], result)  # else the time was up, or the tests couldn't be run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=300, help="mutants to draw (default: 300)")
    parser.add_argument("--minutes", type=float, default=60.0, help="after which no mutant is begun (default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried at a time (default: 2)")
    given = parser.parse_args()
    until = time.time() + 60.0 * given.minutes
    drawn = sample(given.number)
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    found = found_before(commit)
    FOUND.parent.mkdir(exist_ok=True)
    with FOUND.open("a" if found else "w", encoding="utf-8") as kept:
        if not found:
            print(json.dumps({"commit": commit}), file=kept, flush=True)
        left = [mutation for mutation in drawn if name_of(mutation) not in found]
        for one in tried_now(left, until, given.workers) if left else ():
            found[one["mutant"]] = one
            print(json.dumps(one, ensure_ascii=False), file=kept, flush=True)
            print(f"{len(found)} of {len(drawn)}: {one['place']} {one['outcome']}\n{one['change']}", flush=True)
    tried = [found[name] for name in map(name_of, drawn) if name in found]
    survived = [
        {"place": one["place"], "change": one["change"]}
        for one in tried
        if one["outcome"] == TestOutcome.SURVIVED.value
    ]
    stored = {"seed": SEED, "drawn": len(drawn), "tried": len(tried), "survived": survived}
    STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
