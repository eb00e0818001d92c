"""The paper's privacy bound, iteration by iteration."""

from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot


class PrivacyLoss(Metric):
    """Total ε of the iterations so far by the paper's theorem, with δ = 0, for replacing one row."""

    name: ClassVar[str] = "privacy_loss"
    label: ClassVar[str] = "paper's bound P(t)"
    is_public: ClassVar[bool] = True
    meaning: ClassVar[str] = "total ε of the iterations so far, δ = 0, replacing one row"

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the bound, the same for all runs, where the theorem covers the run."""
        return None if snapshot.bound is None else np.full(snapshot.runs, snapshot.bound)

    @property
    def axis_label(self) -> str:
        """Label of an axis, with all that an ε must be told with."""
        return "total ε by the paper's bound\n(δ = 0, for replacing one row)"
