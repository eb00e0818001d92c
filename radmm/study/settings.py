"""A resolved setting: plain values that determine a trace, the objects they stand for, and its id."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from radmm.algorithms.families import ALGORITHMS, Algorithm
from radmm.model.schedules import Geometric
from radmm.privacy.noise import NOISES, Noise

Parameters = Mapping[str, Any]


def canonical(parameters: Parameters) -> str:
    """One spelling for equal parameters: sorted keys, shortest floats, no spaces."""
    return json.dumps(parameters, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def setting_id(parameters: Parameters) -> str:
    digest = hashlib.sha256(canonical(parameters).encode()).hexdigest()
    return f"{parameters['algorithm']['name']}-{digest[:10]}"


def build_algorithm(parameters: Parameters) -> Algorithm:
    options = dict(parameters["algorithm"])
    algorithm = ALGORITHMS[options.pop("name")]
    if isinstance(options["penalty"], Mapping):
        options["penalty"] = Geometric(**options["penalty"])
    return algorithm(**options)


def build_noise(parameters: Parameters) -> Noise | None:
    if parameters["noise"] is None:
        return None
    options = dict(parameters["noise"])
    return NOISES[options.pop("kind")](**options)


def split_name(parameters: Parameters) -> str:
    """The file name of the setting's split."""
    split = parameters["split"]
    return f"{parameters['data']}-train{split['train']}-test{split['test'] or 'rest'}-seed{split['seed']}"


def network_name(parameters: Parameters) -> str:
    """The file name of the setting's network: its law, then its parameters in alphabetical order."""
    options = dict(parameters["network"])
    law = options.pop("law")
    if law == "file":
        return f"file-{hashlib.sha256(options['path'].encode()).hexdigest()[:10]}"
    return "-".join([law, *(f"{name}{value!r}" for name, value in sorted(options.items()))])
