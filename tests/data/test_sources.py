"""Data sets by name: what they state, made-up rows, and packages that are unpacked but never run."""

import io
import subprocess
import tarfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.base.errors import InputError, SourceError
from radmm.base.store import file_hash
from radmm.contract.source import check_source
from radmm.data import packages
from radmm.data.packages import SourceDistribution
from radmm.data.source import SOURCES, make_source

STATED = {
    "adult": (45_222, 105, 2),
    "bank": (45_211, 51, 2),
    "census_kdd": (299_285, 510, 2),
    "default_cb": (30_000, 99, 2),
}


@pytest.mark.parametrize("name", STATED)
def test_shipped_sets_state_their_size(name):
    source = make_source(name)
    assert source.size() == STATED[name]
    assert source.caveat.startswith("Not covered by ε: the maxima of ")
    assert check_source(source).startswith("its features were not built")


def test_the_user_s_own_copies_are_all_that_is_tried():
    for name in STATED:
        copies = dict.fromkeys(SOURCES[name]().files, "mine")
        assert [place.name.split()[0] for place in make_source(name).sources(copies)] == ["local"]


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


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """One whose setup.py would leave a mark, and a pip that says where it is."""
    path = tmp_path / "some-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (("setup.py", b"open('ran', 'w')"), ("data.csv", b"x,y\n1,2\n")):
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
    assert not (tmp_path / "ran").exists()
    with pytest.raises(SourceError, match=r"some-1\.0\.tar\.gz has SHA-256 \w+, not 0"):
        SourceDistribution("some==1.0", "0", distribution.name, members).fetch(["mine.csv"], tmp_path, print)
    with pytest.raises(SourceError, match="none"):
        SourceDistribution("other==1.0", "0", "other-1.0.tar.gz", members).fetch(["mine.csv"], tmp_path, print)
