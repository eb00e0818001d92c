"""The contract of a schedule: positive finite values, one a node, which are a function of the step's number alone."""

import pickle
from dataclasses import replace

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.contract.contract_error import Broken, calling, require
from radmm.contract.example_problem import NODES
from radmm.model.schedules.schedule import SCHEDULES, Schedule
from radmm.study.component_json import from_json, to_json

STEPS = (1, 2, 3, 10, 100)  # numbers k of data-touching steps
SIZES = (1, NODES, 20)  # of networks


def check_schedule(schedule: Schedule) -> str | None:
    """Raise Broken if a schedule breaks its contract; else return a remark.

    An ε is computed from the values that a ledger asks for, before a run asks again. So they must be the same whenever,
    wherever and in whatever order they are asked for.
    """
    refusals = {nodes: _refusal(schedule, nodes) for nodes in SIZES}
    fitting = [nodes for nodes, reason in refusals.items() if reason is None]
    require(fitting, f"its values are refused: {refusals[NODES]}")
    with calling("hash, or a copy by pickle,"):
        copies = {
            "the second time": schedule,
            "of an equal schedule": replace(schedule),
            "of a copy in another process": pickle.loads(pickle.dumps(schedule)),  # noqa: S301 (written just now)
            "of what a setting keeps of it": from_json(SCHEDULES, {"schedule": schedule.name, **to_json(schedule)}),
        }
        require(len({hash(copy) for copy in copies.values()}) == 1, "equal schedules have different hashes")
    for nodes in fitting:
        first = [_at(schedule, step, nodes) for step in STEPS]
        for which, copy in copies.items():
            again = [_at(copy, step, nodes) for step in reversed(STEPS)][::-1]
            for step, one, other in zip(STEPS, first, again, strict=True):
                same = np.array_equal(one, other)
                require(same, f"its values at step {step} are others {which}: they must depend on the step alone")
    return None if len(fitting) == len(SIZES) else f"it takes networks of {', '.join(map(str, fitting))} nodes only"


def _refusal(schedule: Schedule, nodes: int) -> str | None:
    """Return why there are no values for a network of this size: a schedule with a number for each node has its own."""
    with calling(f"values, at step {STEPS[0]} of {nodes} nodes,"):
        try:
            schedule.at(STEPS[0], nodes)
        except InputError as error:
            return str(error)
    return None


def _at(schedule: Schedule, step: int, nodes: int) -> Array:
    with calling(f"values, at step {step} of {nodes} nodes,"):
        try:
            values = schedule.at(step, nodes)
        except InputError as error:
            raise Broken(f"its values are refused: {error}") from None
    shape = np.shape(values)
    require(shape == (nodes,), f"at gives shape {shape} for {nodes} nodes: must be one value a node")
    return values
