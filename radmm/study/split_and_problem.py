"""Parameters of a setting's split and of its objective: the two of its sections that are no components."""

from dataclasses import dataclass, field

from radmm.base.json_object import JsonObject
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import LOSSES, Loss
from radmm.model.weighting import Weighting
from radmm.study.component_json import Json, from_json, named_to_json, to_json


@dataclass(frozen=True)
class SplitParameters:
    """Parameters of a split: numbers of training and test rows, and the permutation that chooses them.

    Args:
        train: Number of training rows.
        test: Number of test rows; None takes all that are left.
        seed: Which random permutation of the rows.
    """

    train: int
    test: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class ProblemParameters:
    """Parameters of the objective: everything but the rows.

    Args:
        C: Weight of the data term.
        rho: Weight of the regulariser.
        weighting: Whether nodes or rows count alike.
        loss: The loss, for any number of classes.
    """

    C: float
    rho: float
    weighting: Weighting = Weighting.NODES
    loss: Loss = field(default_factory=Logistic)

    @classmethod
    def from_json(cls, section: Json) -> "ProblemParameters":
        """Return the parameters that a setting's problem section describes.

        Args:
            section: As `to_json` writes it, or as a validated config has it.
        """
        loss = section.get("loss", Logistic.name)
        named = {"name": loss} if isinstance(loss, str) else loss
        weighting = Weighting(section.get("weighting", Weighting.NODES))  # traces of early versions have none
        return cls(section["C"], section["rho"], weighting, from_json(LOSSES, named))

    def to_json(self, without_defaults: bool = False) -> JsonObject:
        """Return the problem section of a setting.

        Args:
            without_defaults: Whether fields that are at their default are left out.
        """
        section: JsonObject = to_json(self, without_defaults)
        return section | ({"loss": named_to_json(self.loss, without_defaults)} if "loss" in section else {})
