"""Take the protections out one by one, and see the tests of their promises fail: `python -m tests.taken_out`.

Each is taken out of a copy of the project, in which its tests are passed first. What was seen stands in
`tests/protections.json`; one that is there is not tried again, so that the list can be worked off in parts.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.protections import PROTECTIONS, Protection

ROOT = Path(__file__).parent.parent
SEEN = Path(__file__).with_name("protections.json")
# Without a limit on counts a test may want all memory there is, or never end: it then fails, as it should.
MOST_KILOBYTES = 3_000_000
MOST_SECONDS, MOST_CPU_SECONDS = 900, 200
FAILED, HUNG = "failed", "hung"
# What fails for one of these was not taken out but broken: nothing is learned about its tests.
BROKEN = re.compile(r"\b(SyntaxError|IndentationError|NameError|UnboundLocalError|ImportError)\b")


def seen(file: Path = SEEN) -> dict[Protection, dict[str, str]]:
    """What came of those that were taken out, as the list now has them.

    Args:
        file: What was stored.
    """
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    found = {Protection(*(one[field] for field in Protection._fields)): one for one in stored}
    return {protection: found[protection] for protection in PROTECTIONS if protection in found}


def fails(one: dict[str, str]) -> bool:
    return one["outcome"] in (FAILED, HUNG)


def sentence() -> str:
    """How many of how many were seen to fail, as docs/reliability.md has it."""
    number = sum(map(fails, seen().values()))
    return f"Taken out, {number} of {len(PROTECTIONS)} protections made their tests fail.\n"


class Copy:
    """A copy of the project, to take protections out of.

    Args:
        folder: Which doesn't exist yet.
    """

    def __init__(self, folder: Path):
        self._folder = folder
        unneeded = shutil.ignore_patterns(".git", ".venv", ".snakemake", "__pycache__", ".*_cache", "results", "data")
        shutil.copytree(ROOT, folder, ignore=lambda at, names: unneeded(at, names) if Path(at) == ROOT else [])
        self._passes = cache(self._tested)

    def without(self, protection: Protection) -> tuple[str, str]:
        """What its tests come to without it, and by what; the copy is as before afterwards."""
        outcome, reason = self._passes(protection.tests)
        if outcome != "passed":
            return f"{outcome} with it as well", reason
        path = self._folder / protection.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(protection.code, protection.without, 1), encoding="utf-8")
        try:
            return self._tested(protection.tests)
        finally:
            path.write_text(text, encoding="utf-8")

    def _tested(self, tests: str) -> tuple[str, str]:
        limited = ["bash", "-c", f'ulimit -v {MOST_KILOBYTES} -t {MOST_CPU_SECONDS}; exec "$@"', "bash"]
        pytest = [sys.executable, "-m", "pytest", "-x", "-n0", "--no-header", *tests.split(" ", 2)]
        own = {**os.environ, "PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "250"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        # In a session of its own, as a test that hangs may have started others.
        with subprocess.Popen([*limited, *pytest], cwd=self._folder, env=own, start_new_session=True, **pipes) as run:
            try:
                told, _ = run.communicate(timeout=MOST_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                return HUNG, f"no end after {MOST_SECONDS} s"
        if -run.returncode in (signal.SIGXCPU, signal.SIGKILL):
            return HUNG, f"no end after {MOST_CPU_SECONDS} CPU seconds"
        return _outcome(run.returncode, told)


def _outcome(code: int, told: str) -> tuple[str, str]:
    if code == 0:
        return "passed", told.strip().splitlines()[-1]
    lines = [line for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if code != 1 or not lines or BROKEN.search(lines[0]):
        return "broken", told[-2000:]
    return FAILED, re.sub(r" - ([\w.]+).*", r": \1", lines[0].split(" ", 1)[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="those whose promise, file, code or tests have this text")
    parser.add_argument("--again", action="store_true", help="also those that were seen to fail")
    given = parser.parse_args()
    known = seen()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder) / "copy")
        for protection in PROTECTIONS:
            chosen = any(given.only in field for field in protection)
            if chosen and (given.again or protection not in known or not fails(known[protection])):
                outcome, reason = copy.without(protection)
                known[protection] = {**protection._asdict(), "outcome": outcome, "reason": reason}
                print(f"{protection.file}: {protection.code!r} → {outcome}: {reason}", flush=True)
                stored = [known[one] for one in PROTECTIONS if one in known]
                SEEN.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    rest = sum(not (one in known and fails(known[one])) for one in PROTECTIONS)
    sys.exit(f"{rest} of {len(PROTECTIONS)} protections were not seen to fail their tests" if rest else 0)


if __name__ == "__main__":
    main()
