"""How a rule hands settings to its step: as parameters of the rule, which Snakemake passes to the step's script.

Snakemake runs a job again if a parameter of a plain type (a text, a number, a list, …) is another than in the last run.
The classes here are not plain, so that what they hold reaches the step and is no such reason. Rules carry a digest
beside it.
"""

import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radmm.base.plugins import load_plugin
from radmm.base.store import file_hash, record_path, write_record


class Untracked:
    """A value that reaches the step but is no reason to run it again.

    It is unpacked when the step asks for it, and not when Snakemake reads its parameters: settings are made of
    components, and those of plug-ins are known when the job has loaded these.

    Args:
        value: Settings, say; anything that can be pickled.
    """

    def __init__(self, value: Any) -> None:
        self._value, self._packed = value, b""

    def __getstate__(self) -> bytes:
        return self._packed or pickle.dumps(self._value)

    def __setstate__(self, packed: bytes) -> None:
        self._value, self._packed = None, packed

    @property
    def value(self) -> Any:
        """The value, which is unpacked when it is asked for."""
        return pickle.loads(self._packed) if self._packed else self._value  # noqa: S301 (packed by the same run)


@dataclass(frozen=True)
class JobSetup:
    """What holds for all jobs of a run.

    Args:
        plugins: Files that define components which settings name.
        shared_disk: Whether jobs see the files of others where these wrote them. If not, Snakemake brings them the
            inputs of their rule and nothing else.
    """

    plugins: tuple[str, ...] = ()
    shared_disk: bool = True

    def begin(self, inputs: Iterable[Path]) -> None:
        """Load the plug-ins; without a shared disk, write the records of inputs, which have come without them.

        Args:
            inputs: The files that the job reads.
        """
        for plugin in self.plugins:
            load_plugin(plugin)
        if not self.shared_disk:
            for path in inputs:
                if not record_path(path).exists():
                    write_record(path, file_hash(path), {})
