"""Attackers against whom the ε of a study's methods hold, where noise cancels between neighbours."""

from collections.abc import Iterable, Mapping
from typing import Any

from radmm.privacy.cancelling_noise import threat


def threats_of(groups: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the words that follow a method's ε, by method; methods whose ε holds against all are left out.

    Args:
        groups: Metadata of each group's file: its method, and the parameters of its candidates.
    """
    found: dict[str, int] = {}
    for about in groups:
        for parameters in about["candidates"].values():
            noise = parameters["noise"] or {}
            if noise.get("cancelling"):
                method, colluders = about["method"], noise.get("colluders", 0)
                found[method] = min(colluders, found.get(method, colluders))
    return {method: threat(colluders) for method, colluders in found.items()}


def threat_sentences(threats: Mapping[str, str]) -> list[str]:
    """Return one sentence for all methods with the same threat.

    Args:
        threats: Words that follow a method's ε, by method.
    """
    whose = {words: [name for name in threats if threats[name] == words] for words in threats.values()}
    return [f"Of {', '.join(names)}, ε holds {words}." for words, names in whose.items()]
