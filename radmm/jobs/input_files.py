"""Input files of settings: their paths, and a reader that reads each data set only once."""

from collections.abc import Sequence, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from radmm.base.store import checked, content_hash, read_metadata
from radmm.data.prepared_files import read_edges, read_features
from radmm.jobs.steps.solve import Inputs, read_inputs
from radmm.study.settings import Setting


class InputPaths(NamedTuple):
    """Paths of one setting's input files."""

    features: Path
    split: Path
    network: Path


class InputFiles:
    """Input files of settings, in two folders.

    Args:
        data: Folder of the features, with `splits` below.
        networks: Folder of the networks.
    """

    def __init__(self, data: Path, networks: Path) -> None:
        self.data, self.networks = data, networks
        self.read_features, self.read_hash = cache(read_features), cache(read_hash)

    @classmethod
    def beside(cls, features: Sequence[Path], networks: Sequence[Path]) -> "InputFiles":
        """Return the input files in the folders of some, as a rule lists all files that its settings need, in the same
        folders.

        Args:
            features: Files of data sets; splits are in a folder beside them.
            networks: Edge lists.
        """
        return cls(features[0].parent, networks[0].parent)

    def paths(self, setting: Setting) -> InputPaths:
        """Return the paths of the files with which a setting is solved."""
        return InputPaths(
            self.data / f"{setting.data_name}.npz",
            self.data / "splits" / f"{setting.split_name}.parquet",
            self.networks / f"{setting.network_name}.edges",
        )

    def hashes(self, setting: Setting, leave_out: Set[Path] = frozenset()) -> dict[str, str]:
        """Return the content hashes of a setting's inputs, as its trace has them, without those of missing files.

        Args:
            leave_out: Files that are not to be read.
        """
        names = zip(("data", "split", "network"), self.paths(setting), strict=True)
        return {name: self.read_hash(path) for name, path in names if path not in leave_out and path.is_file()}

    def read(self, paths: InputPaths) -> Inputs:
        """Read a setting's inputs; features that were read before are shared by all settings of a data set.

        Args:
            paths: Paths of a setting's inputs.
        """
        return read_inputs(self.read_features(paths.features), paths.split, paths.network)


def read_hash(path: Path) -> str:
    """Return the content hash of an input file, which other libraries may write with other bytes.

    Args:
        path: Path of features, a split or a network.
    """
    if path.suffix == ".npz":
        with np.load(checked(path)) as stored:
            return str(stored["hash"])
    if path.suffix == ".edges":
        return content_hash(read_edges(path))
    return str(read_metadata(checked(path))["hash"])
