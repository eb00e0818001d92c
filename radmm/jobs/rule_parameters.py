"""Parameters by which rules pass settings to their steps.

Snakemake reruns a job if a parameter of a plain type (text, number, list, …) differs from that of the last run. The
classes here are not plain, so their content reaches the step without triggering reruns. Rules carry a digest beside it.
"""

import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radmm.base.plugins import load_plugin
from radmm.base.store import file_hash, record_path, write_record


class Untracked:
    """A parameter that reaches the step but triggers no rerun.

    It is unpickled when the step uses it, not when Snakemake reads its parameters: settings consist of components, and
    those of plug-ins are known only after the job has loaded these.

    Args:
        value: Any value that can be pickled, such as settings.
    """

    def __init__(self, value: Any) -> None:
        self._value, self._packed = value, b""

    def __getstate__(self) -> bytes:
        return self._packed or pickle.dumps(self._value)

    def __setstate__(self, packed: bytes) -> None:
        self._value, self._packed = None, packed

    @property
    def value(self) -> Any:
        """Value of the parameter, unpickled on first use."""
        return pickle.loads(self._packed) if self._packed else self._value  # noqa: S301 (packed by the same run)


@dataclass(frozen=True)
class JobSetup:
    """Setup that all jobs of a run share.

    Args:
        plugins: Files that define components used by settings.
        shared_disk: Whether jobs see each other's files. If not, Snakemake transfers the inputs of a rule to its
            job, and nothing else.
    """

    plugins: tuple[str, ...] = ()
    shared_disk: bool = True

    def begin(self, inputs: Iterable[Path]) -> None:
        """Load the plug-ins; without a shared disk, write the records of inputs, which are transferred without them.

        Args:
            inputs: Input files of the job.
        """
        for plugin in self.plugins:
            load_plugin(plugin)
        if not self.shared_disk:
            for path in inputs:
                if not record_path(path).exists():
                    write_record(path, file_hash(path), {})
