import pytest

from tests.jobs.made_project import MadeProject


@pytest.fixture(scope="session")
def made_project(tmp_path_factory):
    """The folder of a finished study, to be copied by whoever changes it."""
    project = MadeProject(tmp_path_factory.mktemp("made"))
    project.make()
    return project.folder
