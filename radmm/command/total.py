"""`radmm total`: compute what several publications from the same rows spend together."""

import argparse
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.regular_files import require_regular
from radmm.base.store import read_metadata
from radmm.command.parser import NO, OK, Commands, add_command, lines, tell
from radmm.jobs.steps.solve import TRACES, ledger_path
from radmm.privacy.guarantee import SHARED_DRAWS, UNKNOWN_PREPARATION
from radmm.privacy.relation import Relation
from radmm.publication.composition import ResearchRun, shared_seed, total_of
from radmm.publication.public_release import PublicRelease
from radmm.results.tables import read_ledger

EXAMPLES = """\
  radmm total first.json second.json                 two releases from the same rows
  radmm total results/ledgers/a.parquet b.json       one run of a setting, and a release
  radmm total results/traces/a.parquet b.json        all runs of a setting, and a release
  radmm total results                                every run of a study
"""
CODES = "0 if there is a total, 1 if a study's runs share draws of noise or have none, 2 if a file can't be used"
OWN_DRAWS = "if every setting had noise of its own"


def add(commands: Commands) -> None:
    """Add `radmm total` and its flags to the command line."""
    about = "Compute the total ε of several publications; all are assumed to use the same rows."
    parser = add_command(commands, "total", run, about, EXAMPLES, CODES)
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="release, trace, ledger, or folder with results"
    )
    parser.add_argument("--delta", type=float, default=1e-5, metavar="δ", help="δ (default: 1e-5)")
    parser.add_argument(
        "--neighbours", metavar="RELATION", help="replace or zero-out (default: that of the releases, or replace)"
    )
    parser.add_argument(
        "--person-rows", type=int, metavar="ROWS", help="largest number of rows that belong to one person (default: 1)"
    )


def run(given: argparse.Namespace) -> int:
    """Add up what the files spend, and print the total."""
    if not 0.0 < given.delta < 1.0:
        raise InputError(f"delta = {given.delta:g}: must be above 0 and below 1")
    if len(given.files) == 1 and given.files[0].is_dir():
        return _study(given, given.files[0])
    resolved = [file.resolve() for file in given.files]
    if len(set(resolved)) < len(resolved):
        raise InputError(
            "a file is given twice: must be given once, as the same release spends nothing the second time"
        )
    releases = [PublicRelease.load(file) for file in given.files if file.suffix == ".json"]
    research = [_research(file, every_run=not _is_ledger(file)) for file in given.files if file.suffix != ".json"]
    shared = shared_seed(research)
    if shared:
        raise InputError(f"{shared[0]} and {shared[1]} share the seed {shared[2]}: must not. {SHARED_DRAWS}")
    total = total_of(releases, research, given.delta, _relation(given, releases))
    facts = {"files": [str(file) for file in given.files], "privacy": total.facts()}
    counted = {"releases": len(releases), "research runs": sum(each.runs for each in research)}
    tell(given, facts, lines({name: str(count or "") for name, count in counted.items()} | {"privacy": str(total)}))
    return OK


def _relation(given: argparse.Namespace, releases: list[PublicRelease]) -> Relation:
    usual = releases[0].guarantee.relation if releases else Relation()
    neighbours = given.neighbours or usual.neighbours
    return Relation(neighbours, usual.rows if given.person_rows is None else given.person_rows)


def _research(file: Path, every_run: bool) -> ResearchRun:
    """Read the ledger of a research run from its own file, or from beside its trace, which holds every run."""
    require_regular("file", file)
    if not file.is_file() or file.suffix != ".parquet":
        raise InputError(f"{file}: must be a release (.json), or a trace or ledger (.parquet), that there is")
    facts = read_metadata(file)
    setting = facts.get("setting")
    if not isinstance(setting, dict):
        raise InputError(f"{file}: must be a trace or a ledger, which tells its setting")
    path = file if _is_ledger(file) else ledger_path(file)
    if not path.is_file():
        raise InputError(f"{file} has no ledger {path}: must have one, as without noise there is no guarantee")
    runs = int(setting["runs"]) if every_run else 1
    prepared = str(facts.get("caveat", UNKNOWN_PREPARATION))
    return ResearchRun(str(file), read_ledger(path), int(setting.get("seed", 0)), runs, prepared)


def _is_ledger(file: Path) -> bool:
    return file.absolute().parent.name == "ledgers" or file.name.endswith(".ledger.parquet")


def _study(given: argparse.Namespace, folder: Path) -> int:
    ledgers = sorted((folder / "ledgers").glob("*.parquet"))
    if not ledgers:
        raise InputError(f"{folder}: must be the results of a study, with ledgers in {folder / 'ledgers'}")
    research = [_research(file, every_run=True) for file in ledgers]
    total = total_of([], research, given.delta, _relation(given, [])).under(OWN_DRAWS)
    shared = shared_seed(research)
    noiseless = len(list((folder / TRACES).glob("*.parquet"))) - len(ledgers)
    refusals = [f"{shared[0]} and {shared[1]} share the seed {shared[2]}. {SHARED_DRAWS}"] if shared else []
    refusals += [f"{noiseless} settings have no noise, and hence no guarantee."] if noiseless > 0 else []
    counted = f"all {sum(each.runs for each in research)} runs of the {len(research)} settings with noise in {folder}"
    facts: JsonObject = {"published": counted, "privacy": total.facts(), "refusals": refusals}
    told = {"published": counted, "would cost": str(total)}
    tell(given, facts, lines(told | {"no guarantee": " ".join(refusals)}))
    return NO if refusals else OK
