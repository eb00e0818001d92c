"""Mutate a seeded sample of the code behind guarantees, and count what tests notice: `python -m tests.mutants`.

Cosmic Ray makes the mutants, each at another place, in copies of the project. First the quick tests run once, to record
which of them execute which lines; then each mutant is tried with those that execute its line, the fastest first, until
one fails. A mutant that no quick test executes has survived. `build/mutants` keeps what was found, so that a run that
was stopped goes on where it was, and survivors are tried again once a test changes; `--survivors` tries no others.
`tests/mutants.json` has the score and the mutants that survived, `tests/equivalent_mutants.json` those that change
nothing that is promised, and why.
"""

import argparse
import difflib
import hashlib
import itertools
import json
import os
import random
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import hypothesis
import opendp.prelude
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code, use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec

import radmm
from tests.line_coverage import Recorded, enter_copy, record, run_pytest

PRELOADED = (hypothesis, opendp.prelude, radmm)  # with the libraries that they import, for the forks
ROOT = Path(__file__).parent.parent
STORED = Path(__file__).with_suffix(".json")
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.json")
KEPT = ROOT / "build" / "mutants"
MODULES = sorted(
    path.relative_to(ROOT)
    for folder in ("radmm/privacy/**/*.py", "radmm/publication/*.py", "radmm/argmin/*.py", "radmm/base/store.py")
    for path in ROOT.glob(folder)
)
TESTS = ("privacy", "publication", "argmin", "base", "algorithms", "model")  # folders of tests
SEED = 0
UNIONS = "BitOr"  # in operators' names: | mostly joins types here, and such a mutant fails when it is imported
MOST_SECONDS = 20.0  # CPU time of the tests that a mutant is tried with; the slowest are left out
MOST_MEMORY = 4_000_000_000  # bytes: a mutant may want all there is
SURVIVED, NOTICED, NO_CODE = "survived", "noticed", "can't be compiled"


def every_mutation() -> list[MutationSpec]:
    """Return all mutations of the modules that Cosmic Ray makes, in the order of their places."""
    with tempfile.TemporaryDirectory() as folder, use_db(Path(folder) / "session.sqlite") as database:
        init(MODULES, database, {})
        found = [item.mutations[0] for item in database.work_items if UNIONS not in item.mutations[0].operator_name]
    return sorted(found, key=lambda one: (one.module_path, one.start_pos, one.operator_name, one.occurrence))


def survivors() -> list[MutationSpec]:
    """Return the mutations that survived when they were last tried, of code that is still there."""
    wanted = {key_of(one) for one in json.loads(STORED.read_text(encoding="utf-8"))["survived"]}
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name, _ in wanted if (ROOT / name).exists()}
    lines = {(name, line[1:]) for name, change in wanted for line in change.splitlines() if line.startswith("-")}
    found = {}
    for mutation in every_mutation():
        name = str(mutation.module_path)
        if name in texts and (name, texts[name].splitlines()[mutation.start_pos[0] - 1]) in lines:
            operator = get_operator(mutation.operator_name)(**mutation.operator_args)
            changed = mutate_code(texts[name], operator, mutation.occurrence)
            found[name, change_of(texts[name], changed)] = mutation
    return [mutation for key, mutation in found.items() if key in wanted]


def key_of(one: dict[str, str]) -> tuple[str, str]:
    """Return a mutant's module and change, which stay the same as lines move."""
    return one["place"].partition(":")[0], one["change"]


def sample(number: int) -> list[MutationSpec]:
    """Draw mutations at so many different places: a larger sample begins with a smaller one."""
    grouped = itertools.groupby(every_mutation(), key=lambda one: (one.module_path, one.start_pos))
    places = [list(group) for _, group in grouped]
    source = random.Random(SEED)  # noqa: S311
    source.shuffle(places)
    return [source.choice(place) for place in places[:number]]


def make_copy(folder: str) -> None:
    """Copy the project for one worker, whose mutants are made in that copy and imported from there."""
    copy = Path(folder) / str(os.getpid())
    unneeded = shutil.ignore_patterns(".git", ".venv", ".snakemake", ".*_cache", "build", "results", "data")
    shutil.copytree(ROOT, copy, ignore=lambda at, names: unneeded(at, names) if Path(at) == ROOT else [])
    os.chdir(copy)


def record_tests(tests: str) -> None:
    """Record which lines the tests of a folder execute, in a fork of this worker."""
    folders = sorted({str(module.parent) for module in MODULES})
    fork = get_context("fork").Process(target=record, args=(Path.cwd(), f"tests/{tests}", folders, KEPT))
    fork.start()
    fork.join()
    if fork.exitcode:
        raise SystemExit(f"error: tests/{tests} fail without any mutant: see {KEPT}")


def run_mutant(copy: Path, tests: list[str], seconds: float) -> None:
    """Run tests in this process, within limits, and end it with pytest's exit code."""
    limit = int(20.0 + 5.0 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))  # not of time: a busy machine is no reason to fail
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.alarm(100 * limit)  # unless it waits for ever
    enter_copy(copy, copy / "mutant.log")
    raise SystemExit(run_pytest(tests))


def outcome(mutation: MutationSpec, until: float) -> dict[str, str] | None:
    """Try a mutant in a fork of this worker; return None if the time was up, else its change and whether it survived.

    Args:
        mutation: What to change in this worker's copy of the project.
        until: Time after which it isn't tried.
    """
    if time.time() > until:
        return None
    module, total = mutation.module_path, 0.0
    tests = []
    for seconds, test in Recorded(KEPT).tests_of(module, mutation.start_pos[0], f"tests/{module.parts[1]}"):
        total += seconds
        if total <= MOST_SECONDS:
            tests.append(test)
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    with use_mutation(module, operator, mutation.occurrence) as (before, after):
        result = SURVIVED if is_code(after) else NO_CODE
        if tests and result == SURVIVED:
            fork = get_context("fork").Process(target=run_mutant, args=(Path.cwd(), tests, min(total, MOST_SECONDS)))
            fork.start()
            fork.join()
            result = NOTICED if fork.exitcode else SURVIVED
    place = f"{module}:{mutation.start_pos[0]}"
    return {"place": place, "change": change_of(before, after), "outcome": result, "tests": str(len(tests))}


def change_of(before: str, after: str) -> str:
    """Return the lines in which two texts differ, each after a minus or a plus."""
    changed = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in changed if line[:1] in "-+" and line[:3] not in ("---", "+++"))


def is_code(text: str) -> bool:
    """Return whether Python can compile a text: some mutants it can't, which no test is needed to notice."""
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def name_of(mutation: MutationSpec) -> str:
    """Return a name that no other mutant has, and that changes with the text of its module."""
    line, column = mutation.start_pos
    digest = hashlib.sha256((ROOT / mutation.module_path).read_bytes()).hexdigest()[:12]
    return f"{mutation.module_path}:{digest}:{line}:{column} {mutation.operator_name} {mutation.occurrence}"


def tests_digest() -> str:
    """Return a hash of all tests, with which survivors are known to survive."""
    paths = sorted(path for folder in TESTS for path in (ROOT / "tests" / folder).rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:12]


def found_before(digest: str) -> dict[str, dict[str, str]]:
    """Return by its name what is known of each mutant; that it survived only if these are the tests it survived."""
    path = KEPT / "found.jsonl"
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()
    return {one["name"]: one for one in lines if one["outcome"] != SURVIVED or one["digest"] == digest}


def tried_now(drawn: list[MutationSpec], until: float, number: int, digest: str) -> Iterator[dict[str, str]]:
    """Try mutants side by side, and tell of each as soon as it was tried.

    Args:
        drawn: Mutants to try.
        until: Time after which none is begun.
        number: How many are tried at a time.
        digest: Of the tests: coverage is recorded again if they are others.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(number, get_context("fork"), initializer=make_copy, initargs=(folder,)) as workers,
    ):
        marker = KEPT / "recorded"
        sources = hashlib.sha256(b"".join((ROOT / module).read_bytes() for module in MODULES)).hexdigest()[:12]
        if not marker.exists() or marker.read_text() != digest + sources:
            list(workers.map(record_tests, TESTS))
            marker.write_text(digest + sources)
        begun = {workers.submit(outcome, mutation, until): mutation for mutation in drawn}
        for done in as_completed(begun):
            result = done.result()
            if result is not None:
                yield {"name": name_of(begun[done]), "digest": digest, **result}


def sentence() -> str:
    """Return the score as docs/reliability.md has it."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    equivalent = {(one["module"], one["change"]) for one in json.loads(EQUIVALENT.read_text(encoding="utf-8"))}
    survived = [key_of(one) for one in stored["survived"]]
    same, tried = sum(one in equivalent for one in survived), stored["tried"]
    noticed = tried - len(survived)
    return (
        f"When mutants were last tried, {tried} of the {stored['drawn']} that are drawn, tests noticed {noticed} "
        f"({noticed / tried:.0%}). Of the {len(survived)} others, {same} were judged to change nothing that is "
        "promised.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=300, help="mutants to draw (default: 300)")
    parser.add_argument("--minutes", type=float, default=60.0, help="after which no mutant is begun (default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried at a time (default: 2)")
    parser.add_argument("--survivors", action="store_true", help="try only those again that survived the last time")
    given = parser.parse_args()
    until = time.time() + 60.0 * given.minutes
    KEPT.mkdir(parents=True, exist_ok=True)
    drawn, digest = survivors() if given.survivors else sample(given.number), tests_digest()
    found = found_before(digest)
    left = [mutation for mutation in drawn if name_of(mutation) not in found]
    with (KEPT / "found.jsonl").open("a", encoding="utf-8") as kept:
        for one in tried_now(left, until, given.workers, digest) if left else ():
            found[one["name"]] = one
            print(json.dumps(one, ensure_ascii=False), file=kept, flush=True)
            print(f"{one['place']} {one['outcome']} ({one['tests']} tests)\n{one['change']}", flush=True)
    known = [found[name] for name in map(name_of, drawn) if name in found]
    tried = [one for one in known if one["outcome"] != NO_CODE]
    survived = [{"place": one["place"], "change": one["change"]} for one in tried if one["outcome"] == SURVIVED]
    stored = {"seed": SEED, "drawn": len(drawn), "tried": len(tried), "survived": survived}
    if given.survivors:  # the others were noticed before; mutants of code that has gone are no longer counted
        before = json.loads(STORED.read_text(encoding="utf-8"))
        stored |= {"drawn": before["drawn"], "tried": before["tried"] - len(before["survived"]) + len(tried)}
    STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
