import os

import pytest

from tests.slurm import cluster
from tests.slurm.runs import FIGURE, Run


@pytest.fixture(scope="session")
def slurm():
    """Skipped where there is none, except where the environment says that there must be one."""
    try:
        with cluster.running():
            yield cluster
        assert list(cluster.processes()) == []
    except cluster.UnavailableError as reason:
        if os.environ.get("RADMM_NEEDS_SLURM"):
            raise
        pytest.skip(f"no Slurm here: {reason}")


@pytest.fixture(scope="session")
def raw(tmp_path_factory):
    """The raw data, downloaded once."""
    from radmm.data.download import get_files
    from radmm.data.sources.adult import Adult
    from tests.conftest import ROOT

    folder, adult = ROOT / "data" / "raw", Adult()
    if not all((folder / name).is_file() for name in adult.files):
        folder = tmp_path_factory.mktemp("raw")
        get_files(adult.files, adult.sources({}), folder, print)
    return folder


@pytest.fixture(scope="session")
def local(tmp_path_factory, raw):
    """The same grid without a cluster: whatever happens on one, its traces must be these."""
    run = Run(tmp_path_factory.mktemp("local"), raw).start(profile="default", targets=FIGURE)
    assert run.finish() == 0, run.said()
    return run


@pytest.fixture
def run(slurm, tmp_path, raw):
    run = Run(tmp_path, raw)
    yield run
    if run.process:
        run.kill()
    slurm.repair()
