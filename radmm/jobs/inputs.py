"""The files that settings are solved with: where they are, and reading them so that a data set is read once."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from radmm.data.files import read_features
from radmm.jobs.steps.solve import Inputs, read_inputs
from radmm.study.settings import Parameters, data_name, network_name, split_name


class InputPaths(NamedTuple):
    """Of one setting."""

    features: Path
    split: Path
    network: Path


class InputFiles:
    """What is in two folders.

    Args:
        data: Where features are, with `splits` below.
        networks: Where networks are.
    """

    def __init__(self, data: Path, networks: Path) -> None:
        self.data, self.networks = data, networks
        self.read_features = cache(read_features)

    def paths(self, parameters: Parameters) -> InputPaths:
        """The files that a setting is solved with.

        Args:
            parameters: Of the setting.
        """
        return InputPaths(
            self.data / f"{data_name(parameters)}.npz",
            self.data / "splits" / f"{split_name(parameters)}.parquet",
            self.networks / f"{network_name(parameters)}.edges",
        )

    def read(self, paths: InputPaths) -> Inputs:
        """Features that were read before are not read again, so that all settings of a data set share them.

        Args:
            paths: Of a setting.
        """
        return read_inputs(self.read_features(paths.features), paths.split, paths.network)
