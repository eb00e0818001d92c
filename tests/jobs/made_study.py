"""A tuned study that is planned, with its data, so that its steps can run."""

import yaml

from radmm.data.prepared_files import write_features
from radmm.data.source import make_source
from radmm.jobs.study import Study
from tests.conftest import ROOT


def planned(folder, said):
    """The study, whose `rows.npz` is in the folder then."""
    base = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    own = {"figure": "comparison", "settings": {"ADMM": {"algorithm": {"name": "admm", "penalty": 1.0}}}}
    study = Study.of(base | {"shipped": False, "experiments": {"mine": own}, "tuned": {"study": said}})
    source = make_source(said["defaults"]["data"])
    write_features(folder / "rows.parquet", folder / "rows.npz", source.build(folder), source.size().classes)
    return study
