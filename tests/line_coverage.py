"""Which quick tests execute a line, and how long they take: recorded once, for `python -m tests.mutants`."""

import ast
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

QUICK = "not slow and not faults and not bracket and not fuzz"
IMPORT = ""  # coverage's name for what no test executes: it runs when a module is imported


def enter_copy(copy: Path, log: Path) -> None:
    """Make this process one that imports the project from a copy of it, and writes what it says into a log.

    Call it in a fork of a process that has imported the project: libraries stay imported, which saves seconds.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] in ("radmm", "tests")]:
        del sys.modules[name]
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    os.environ["PYTHONPATH"] = str(copy)  # of processes that tests start
    sys.dont_write_bytecode = True  # a mutant may have the size and the second of another
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)


def run_pytest(tests: list[str], *plugins: object) -> int:
    """Run quick tests in this folder until one fails, and return pytest's exit code."""
    options = ["-x", "-n0", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-m", QUICK]
    return int(pytest.main([*options, *tests], plugins=list(plugins)))


class Recorder:
    """Pytest plug-in that gives what coverage records the name of the test, and adds up CPU seconds of each test.

    A test's name has no parameters. What a fixture of a whole file executes is recorded under the name of that file.
    """

    def __init__(self, recorded: coverage.Coverage):
        self.recorded = recorded
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        name = item.nodeid.partition("[")[0]
        if name not in self.seconds:
            forget_caches()  # what an earlier test left there would hide which lines this one needs
        self.recorded.switch_context(name)
        begun = time.process_time()
        result = yield
        self.seconds[name] += time.process_time() - begun
        self.recorded.switch_context(IMPORT)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef, request: pytest.FixtureRequest) -> Iterator[None]:
        shared = fixturedef.scope != "function"
        name = request._pyfuncitem.nodeid.partition("[")[0]
        if shared:
            self.recorded.switch_context(name.partition("::")[0])
        result = yield
        if shared:
            self.recorded.switch_context(name)
        return result


def forget_caches() -> None:
    """Clear the caches of all functions of the package."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "radmm":
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def record(copy: Path, tests: str, modules: list[str], stored: Path) -> None:
    """Run tests in a copy of the project, and store which of them execute which lines, in how many CPU seconds.

    Args:
        copy: Folder of the copy.
        tests: Folder of the tests within the project.
        modules: Folders of the package whose lines are recorded.
        stored: Folder for the two files that are written.
    """
    name = stored / tests.replace("/", ".")
    enter_copy(copy, Path(f"{name}.log"))
    recorded = coverage.Coverage(data_file=f"{name}.coverage", source=modules, config_file=False)
    recorded.set_option("run:relative_files", True)
    recorder = Recorder(recorded)
    recorded.start()
    code = run_pytest([tests], recorder)
    recorded.stop()
    recorded.save()
    if code:
        raise SystemExit(code)
    Path(f"{name}.json").write_text(json.dumps(recorder.seconds), encoding="utf-8")


class Recorded:
    """What calls of `record` stored in a folder."""

    def __init__(self, stored: Path):
        self._data = coverage.CoverageData(no_disk=True)
        self._seconds: dict[str, float] = {}
        for path in sorted(stored.glob("*.coverage")):
            data = coverage.CoverageData(str(path))
            data.read()
            self._data.update(data)
            self._seconds |= json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))

    def tests_of(self, module: Path, line: int, folder: str) -> list[tuple[float, str]]:
        """Return the tests that execute the statement on a line, each after its CPU seconds, the fastest first.

        Args:
            module: Path of the module within the project.
            line: Any line of the statement.
            folder: Folder of the tests to return as well, if the line is executed when the module is imported.
        """
        by_line = self._data.contexts_by_lineno(str(module))
        lines = statement_lines(module.read_text(encoding="utf-8"), line)
        names = {name for each in lines for name in by_line.get(each, [])}
        return sorted(
            (seconds, test)
            for test, seconds in self._seconds.items()
            if test in names or test.partition("::")[0] in names or (IMPORT in names and test.startswith(folder))
        )


def statement_lines(source: str, line: int) -> range:
    """Return the lines of the innermost statement on a line; of a compound statement, those of its head."""
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    around = [node for node in statements if node.lineno <= line <= (node.end_lineno or node.lineno)]
    if not around:
        return range(line, line + 1)  # a decorator
    inner = max(around, key=lambda node: (node.lineno, -(node.end_lineno or 0)))
    body = getattr(inner, "body", None)
    return range(inner.lineno, max(inner.lineno, body[0].lineno - 1 if body else inner.end_lineno or 0) + 1)
