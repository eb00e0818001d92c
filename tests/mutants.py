"""Mutate a seeded sample of the code behind guarantees, and count what tests notice: `python -m tests.mutants`.

Cosmic Ray makes the mutants, each at another place, in copies of the project. A mutant is tried with the tests of the
folder that mirrors its module's, its own test file first. `tests/mutants.json` has the score and the mutants that
survived.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkResult

ROOT = Path(__file__).parent.parent
STORED = Path(__file__).with_suffix(".json")
MODULES = sorted(
    path.relative_to(ROOT)
    for folder in ("radmm/privacy/**/*.py", "radmm/publication/*.py", "radmm/argmin/*.py", "radmm/base/store.py")
    for path in ROOT.glob(folder)
)
SEED = 0
UNIONS = "BitOr"  # in operators' names: | mostly joins types here, and such a mutant fails when it is imported
# A mutant may want all memory there is, or never end. Limited are CPU seconds, as a busy machine is no reason to fail.
LIMITS = "ulimit -v 4000000 -t 200"
MOST_SECONDS = 1_800.0


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
    pytest = f"{sys.executable} -m pytest -x -n0 -p no:cacheprovider {' '.join(tests)}"
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


def described(mutation: MutationSpec, result: WorkResult) -> dict[str, str]:
    """Return where a mutant is and which lines it changes."""
    changed = [line for line in result.diff.splitlines() if line[:1] in "-+" and line[:3] not in ("---", "+++")]
    return {"place": f"{mutation.module_path}:{mutation.start_pos[0]}", "change": "\n".join(changed)}


def sentence() -> str:
    """Return the score as docs/reliability.md has it."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    noticed = stored["tried"] - len(stored["survived"])
    return (
        f"When mutants were last tried, {stored['tried']} of {stored['drawn']} were begun within {stored['minutes']:g} "
        f"minutes, and tests noticed {noticed} of them ({noticed / stored['tried']:.0%}).\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=300, help="mutants to draw (default: 300)")
    parser.add_argument("--minutes", type=float, default=60.0, help="after which no mutant is begun (default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried at a time (default: 2)")
    given = parser.parse_args()
    until = time.time() + 60.0 * given.minutes
    drawn = sample(given.number)
    survived, tried = [], 0
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(given.workers, initializer=enter_copy, initargs=(folder,)) as workers,
    ):
        folders = sorted({tests_of(mutation.module_path)[-1] for mutation in drawn})
        if workers.submit(run_tests, command(folders), MOST_SECONDS).result()[0] != TestOutcome.SURVIVED:
            sys.exit("error: tests fail without any mutant")
        for mutation, result in zip(drawn, workers.map(outcome, drawn, itertools.repeat(until)), strict=True):
            if result is None or result.test_outcome not in (TestOutcome.KILLED, TestOutcome.SURVIVED):
                continue  # the time was up, or the tests couldn't be run
            tried += 1
            print(f"{tried}: {mutation.module_path}:{mutation.start_pos[0]} {result.test_outcome.value}", flush=True)
            if result.test_outcome == TestOutcome.SURVIVED:
                survived.append(described(mutation, result))
                print(survived[-1]["change"], flush=True)
    stored = {"seed": SEED, "minutes": given.minutes, "drawn": len(drawn), "tried": tried, "survived": survived}
    STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
