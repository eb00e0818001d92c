"""Files that are swapped or have a bit flipped: whoever reads them says so, and nothing is made of them."""

import random
import shutil

import pytest

from radmm.base.store import DAMAGED, RECORDS, DamagedError, fault, record_path, write_text
from radmm.data.holdings import read_row_counts
from radmm.data.prepared_files import read_edges, read_features, read_split
from radmm.jobs.calibrations import read_calibrations, read_search
from radmm.results.claims.evidence import Runs
from radmm.results.epsilon_conditions import conditions
from radmm.results.figures import audit
from radmm.results.figures.figure import Material
from radmm.results.report.content import read_audit, read_claims
from radmm.results.report.experiments import picture
from tests.jobs.made_project import MadeProject

FLIPS = 3  # of each file by each reader


pytestmark = pytest.mark.xdist_group("made project")


@pytest.fixture(scope="module")
def project(made_project, tmp_path_factory):
    return MadeProject(shutil.copytree(made_project, tmp_path_factory.mktemp("damage") / "copy"))


def contents(project):
    """All files but those about files, and what jobs keep for the next attempt."""
    kept = (project.data, project.results)
    paths = (path for folder in kept for path in folder.rglob("*") if path.is_file())
    aside = {RECORDS, DAMAGED, ".resume"}
    return {path: path.read_bytes() for path in paths if aside.isdisjoint(path.parts)}


def readings(project):
    return [(call, path, made) for call, read, made in project.steps() for path in read]


def flipped(content, place):
    changed = bytearray(content)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


class Trial:
    """A file that is damaged for a while, and the trace that goes with a ledger."""

    def __init__(self, path):
        self.whole = path.read_bytes()
        trace = path.parent.with_name("traces") / path.name
        both = [path, trace] if path.parent.name == "ledgers" else [path]
        self.kept = {each: each.read_bytes() for one in both for each in (one, record_path(one))}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path, content in self.kept.items():
            path.write_bytes(content)


def refuses(call, path, made, said):
    """Whether the reader names the file, sets it aside, and leaves what it would have written as it was."""
    before = [each.read_bytes() for each in made if each.exists()]
    with pytest.raises((DamagedError, SystemExit)) as error:
        call()
    lines = said.readouterr().err.splitlines() if error.type is SystemExit else [f"failed: {error.value}"]
    reasons = [line.split("failed: ")[1] for line in lines if "failed: " in line]  # a batch says it of each setting
    assert reasons
    assert all(reason.startswith(f"{path} ") for reason in reasons)
    assert all(reason.endswith("the next run makes it again") for reason in reasons)
    return not path.exists() and [each.read_bytes() for each in made if each.exists()] == before


# Those that no step of the small study calls, each with a file of a name that it looks for.
READERS = {
    "holdings": ("x.json", read_row_counts),
    "features": ("x.npz", read_features),
    "split": ("x.parquet", read_split),
    "edges": ("x.edges", read_edges),
    "calibrations": ("x.json", lambda path: read_calibrations([path])),
    "search": ("x.json", read_search),
    "claims": ("x.parquet", lambda path: Runs(None, path)["loss"]),
    "conditions": ("x.parquet", lambda path: conditions({"x": CANCELLING}, path.parent)),
    "claims in the report": ("claims.json", read_claims),
    "audit in the report": ("audit.parquet", read_audit),
    "audit's figure": ("audit.parquet", lambda path: audit.figure(path, path, path)),
    "figure": ("x.parquet", Material.read),
    "picture": ("x.png", picture),
}
CANCELLING = {"setting": {"noise": {"cancelling": 1.0}}}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_looks_first(name, tmp_path):
    file, read = READERS[name]
    path = tmp_path / file
    write_text(path, "as it was written")
    path.write_text("changed")
    with pytest.raises(DamagedError, match=f"^{path} has SHA-256"):
        read(path)


def test_everything_that_is_read_has_a_record(project):
    assert [str(path) for path in contents(project) if fault(path)] == []


def test_no_flipped_bit_is_read(project, capsys):
    places = random.Random(0)  # noqa: S311
    for call, path, made in readings(project):
        flips = 0 if made[0].suffix == ".html" else FLIPS  # the report takes long, and reads most files
        for place in [0, *(places.randrange(8 * path.stat().st_size) for _ in range(flips))]:
            with Trial(path) as trial:
                path.write_bytes(flipped(trial.whole, place))
                assert refuses(call, path, made, capsys), (path, place)


@pytest.mark.parametrize("with_record", [False, True])
def test_no_file_is_read_in_anothers_place(project, with_record, capsys):
    """Of each file with each of its kind, as a careless copy would do it."""
    trials = 0
    for call, path, made in (each for each in readings(project) if each[2][0].suffix != ".html"):
        kind = [other for other in path.parent.glob(f"*{path.suffix}") if other.read_bytes() != path.read_bytes()]
        for other in kind:
            with Trial(path):
                shutil.copy(other, path)
                if with_record:
                    shutil.copy(record_path(other), record_path(path))
                assert refuses(call, path, made, capsys), (path, other)
                trials += 1
    assert trials > 20


def test_what_was_damaged_is_made_again_to_the_byte(project, capsys):
    """Traces and ledgers are looked at by the batch that makes them: it makes those again that are not right."""
    before, cache = contents(project), project.results / ".resume"
    for trace in (cache / "traces").glob("*.parquet"):
        ledger = cache / "ledgers" / trace.name  # either of the two is reason enough
        kept = ledger if ledger.exists() else trace
        for path in (kept, project.results / kept.relative_to(cache)):
            path.write_bytes(flipped(path.read_bytes(), 999))
    for call, _, made in project.steps():
        if any(path.parent.name == "traces" for path in made):
            call()
    assert "it is made again" in capsys.readouterr().err
    assert contents(project) == before


def test_a_ledger_that_fails_takes_its_trace_along(project, capsys):
    """The workflow looks for traces: one that is gone lets its batch run again."""
    call, path, made = next(each for each in readings(project) if each[1].parent.name == "ledgers")
    trace = project.results / "traces" / path.name
    with Trial(path):
        path.write_bytes(b"")
        assert refuses(call, path, made, capsys)
        assert not trace.exists()
