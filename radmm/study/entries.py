"""Entries of experiments: a setting with its experiment, its label and its grid point."""

from dataclasses import dataclass, replace

from radmm.base.json_object import JsonObject
from radmm.privacy.noise import Noise
from radmm.study.grids import GridPoint
from radmm.study.settings import Setting


@dataclass(frozen=True)
class Entry:
    """A setting as an experiment or a tuned study has it.

    Args:
        experiment: Name of the experiment.
        label: The label under which the experiment has the setting.
        grid_point: The values that the setting takes on the axes of its grid.
        setting: The setting itself, which other entries may have, too.
    """

    experiment: str
    label: str
    grid_point: GridPoint
    setting: Setting

    @property
    def id(self) -> str:
        """Id of the setting."""
        return self.setting.id

    @property
    def parameters(self) -> JsonObject:
        """Parameters of the setting as JSON, for figures and files."""
        return self.setting.to_json()

    def to_json(self) -> JsonObject:
        """Return the entry as JSON; entries that differ in anything differ in it."""
        return {**vars(self), "setting": self.parameters}

    def with_noise(self, noise: Noise) -> "Entry":
        """Return the same entry after calibration.

        Args:
            noise: Noise that was found to meet the setting's budget.
        """
        return replace(self, setting=self.setting.with_noise(noise))
