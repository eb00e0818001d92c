import pytest

from tests.jobs.made_project import MadeProject
from tests.jobs.test_workflow import AUDITED, Project


@pytest.fixture(scope="session")
def made_project(tmp_path_factory):
    """The folder of a finished study, to be copied by whoever changes it."""
    project = MadeProject(tmp_path_factory.mktemp("made"))
    project.make()
    return project.folder


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A copy of the project whose smoke config was run with two cores; who changes it changes it back."""
    project = Project(tmp_path_factory.mktemp("two-cores"))
    solved = {"calibrate": 1, "calibrations": 1, "traces": 2, "table": 1, "figure": 1}
    plan = project.plan("results/figures/fig5.pdf")
    assert plan == {"download_adult": 1, "features": 1, "split": 1, "network": 1} | solved
    assert project.plan("audit") == AUDITED | {"audit": 1}
    assert not any((project.folder / "results").glob("[a-z]*"))  # planning writes nothing
    project.snakemake("--cores", "2", "--", "all")
    return project
