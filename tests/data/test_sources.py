"""Data sets by name: what they state, made-up rows, and packages that are unpacked but never run."""

import io
import subprocess
import tarfile
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.base.errors import InputError, SourceError
from radmm.base.store import file_hash
from radmm.contract.source import check_source
from radmm.data import packages
from radmm.data.packages import SourceDistribution, unzip
from radmm.data.source import SOURCES, make_source
from radmm.data.sources import covertype, nycflights13

STATED = {
    "adult": (45_222, 105, 2),
    "bank": (45_211, 51, 2),
    "census_kdd": (299_285, 510, 2),
    "covertype": (581_012, 54, 2),
    "default_cb": (30_000, 99, 2),
    "nycflights13": (327_317, 176, 2),
}


@pytest.mark.parametrize("name", STATED)
def test_shipped_sets_state_their_size(name):
    source = make_source(name)
    assert source.size() == STATED[name]
    assert source.caveat.startswith("Not covered by ε: the ")
    assert check_source(source).startswith("its features were not built")


def test_the_user_s_own_copies_are_all_that_is_tried():
    for name in STATED:
        copies = dict.fromkeys(SOURCES[name]().files, "mine")
        assert [place.name.split()[0] for place in make_source(name).sources(copies)] == ["local"]


@pytest.mark.parametrize("name", STATED)
def test_a_file_that_is_not_the_one_expected_is_refused(name, tmp_path):
    source = make_source(name)
    for file in source.files:
        (tmp_path / file).write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=rf"has SHA-256 \w+, not \w+: must be the file of {name} as it was published"):
        source.check_files(tmp_path)


FLIGHTS = """\
year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,origin,dest,\
air_time,distance,hour,minute,time_hour
2013,1,1,517,515,2,830,1200,11,UA,1545,N14228,EWR,IAH,227,1400,5,15,2013-01-01T10:00:00Z
2013,12,31,542,540,2,923,850,0,AA,1141,N619AA,JFK,MIA,160,1089,5,40,2013-01-01T10:00:00Z
2013,1,2,NA,540,NA,NA,850,NA,AA,1141,N619AA,JFK,MIA,NA,1089,5,40,2013-01-01T10:00:00Z
2013,1,3,600,600,0,700,700,1,OO,2,N1,LGA,CLE,60,419,6,0,2013-01-01T11:00:00Z
"""


def test_a_flight_is_known_by_its_schedule_alone(tmp_path, monkeypatch):
    (tmp_path / "flights.csv").write_text(FLIGHTS)
    monkeypatch.setattr(nycflights13.Flights, "files", {"flights.csv": file_hash(tmp_path / "flights.csv")})
    built = nycflights13.Flights().build(tmp_path)
    assert built.labels.tolist() == [1, -1]  # 11 minutes late, and on time; one never landed and one is SkyWest's
    assert [built.node_names[node] for node in built.node] == ["UA", "AA"]
    row = {name: value for name, value in zip(built.columns, built.matrix.toarray()[0], strict=True) if value}
    used = {
        "month=1": 1,
        "day=1": 1,
        "origin=EWR": 1,
        "dest=IAH": 1,
        "hour=5": 1,
        "sched_arr_time": 0.5,
        "distance": 0.28,
    }
    norm = np.sqrt(sum(value**2 for value in used.values()))
    assert row == pytest.approx({name: value / norm for name, value in used.items()})


@pytest.mark.parametrize(("all_types", "labels"), [(False, [-1, 1, -1, -1, -1, -1, -1]), (True, [0, 1, 2, 3, 4, 5, 6])])
def test_cover_types_are_two_classes_or_seven(all_types, labels, tmp_path, monkeypatch):
    names = ["Elevation", *covertype.UNITS, *covertype.INDICATORS, covertype.LABEL]
    rows = [[1000 + kind, 180, 9, 51, 51, 51, *[0, 1, *[0] * 42], kind] for kind in range(1, 8)]
    lines = [",".join(map(str, line)) for line in [names, *rows]]
    (tmp_path / "covtype.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(covertype.Covertype, "files", {"covtype.csv": file_hash(tmp_path / "covtype.csv")})
    source = make_source({"name": "covertype", "all_types": all_types})
    built = source.build(tmp_path)
    assert (built.labels.tolist(), source.size().classes) == (labels, len(set(labels)))
    used = np.array([1, 0.5, 0.1, 0.2, 0.2, 0.2, 0, 1, *[0] * 42])
    np.testing.assert_allclose(built.matrix.toarray()[-1], used / np.linalg.norm(used))


@settings(max_examples=15, deadline=None)
@given(
    rows=st.integers(200, 400),
    features=st.integers(2, 6),
    classes=st.integers(2, 4),
    groups=st.integers(1, 5),
    heterogeneity=st.floats(0, 0.5),
    label_noise=st.floats(0.3, 1),
)
def test_made_up_data_keep_the_contract(**said):
    assert check_source(make_source({"name": "synthetic", **said})) is None


def made(**said):
    return make_source({"name": "synthetic", "rows": 6000, "features": 4, **said}).build(None)


def test_rows_do_not_depend_on_how_many_follow():
    np.testing.assert_array_equal(made().matrix[:4500], made(rows=4500).matrix)
    assert not np.array_equal(made().matrix, made(seed=1).matrix)


def test_heterogeneity_moves_groups_apart_and_noise_changes_labels():
    def spread(built):
        return np.linalg.norm([built.matrix[built.node == group].mean(axis=0) for group in range(5)], axis=1).max()

    assert spread(made()) < 0.06 < 0.3 < spread(made(heterogeneity=1.0))
    changed = np.mean(made().labels != made(label_noise=0.4).labels)
    assert abs(changed - 0.2) < 0.02  # a label that is drawn anew is the same as before in half of the cases


def test_a_class_without_rows_is_refused():
    with pytest.raises(InputError, match=r"data\.rows = 2: class \d+ has none of them"):
        made(rows=2, classes=20, groups=1)
    with pytest.raises(InputError, match=r"data\.label_noise = 2: must be at most 1"):
        made(label_noise=2)


def zipped(name, content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """One whose setup.py would leave a mark, and a pip that says where it is."""
    path = tmp_path / "some-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (
            ("setup.py", b"open('ran', 'w')"),
            ("data.csv", b"x,y\n1,2\n"),
            ("b.zip", zipped("b", b"c")),
        ):
            member = tarfile.TarInfo(f"some-1.0/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))

    def pip(command, **_):
        assert command[command.index("--only-binary") + 1] == ":all:"
        return subprocess.CompletedProcess(
            command, 1, f"  Skipping link: {path.as_uri()}#sha256=0 (from x)\n", "ERROR: none"
        )

    monkeypatch.setattr(packages.subprocess, "run", pip)
    return path


def test_a_source_distribution_is_unpacked_and_never_run(distribution, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    members = {"mine.csv": "some-1.0/data.csv"}
    source = SourceDistribution("some==1.0", file_hash(distribution), distribution.name, members)
    source.fetch(["mine.csv"], tmp_path, print)
    assert (tmp_path / "mine.csv").read_bytes() == b"x,y\n1,2\n"
    inner = SourceDistribution("some==1.0", file_hash(distribution), distribution.name, {"b": "some-1.0/b.zip"}, unzip)
    inner.fetch(["b"], tmp_path, print)
    assert (tmp_path / "b").read_bytes() == b"c"
    assert not (tmp_path / "ran").exists()
    with pytest.raises(SourceError, match=r"some-1\.0\.tar\.gz has SHA-256 \w+, not 0"):
        SourceDistribution("some==1.0", "0", distribution.name, members).fetch(["mine.csv"], tmp_path, print)
    with pytest.raises(SourceError, match="none"):
        SourceDistribution("other==1.0", "0", "other-1.0.tar.gz", members).fetch(["mine.csv"], tmp_path, print)
