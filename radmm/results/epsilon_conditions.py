"""Conditions of every ε of some settings, in sentences: they stand in tables, below figures and with the claims."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from radmm.base.store import checked
from radmm.privacy.guarantee import SHARED_DRAWS
from radmm.results.tables import read_ledger


def conditions(stored: Mapping[str, Mapping[str, Any]], ledgers: Path) -> list[str]:
    """What features took from the data and, where noise cancels between neighbours, against whom ε holds.

    Args:
        stored: The metadata of traces by their settings' ids; those without noise promise nothing, and are not asked.
        ledgers: The folder of the ledgers of those with noise.
    """
    private = {name: trace for name, trace in stored.items() if trace["setting"]["noise"] is not None}
    caveats = {trace.get("caveat", "") for trace in private.values()}  # traces of earlier versions have none
    cancelling = [name for name, trace in private.items() if trace["setting"]["noise"].get("cancelling")]
    threats = {read_ledger(checked(ledgers / f"{name}.parquet")).threat for name in cancelling}
    sentences = {f"Where noise cancels, ε holds {threat}." for threat in threats if threat}
    return [*sorted(caveats - {""}), *sorted(sentences)]


def shared_draws(seeds: Iterable[int]) -> list[str]:
    """That two settings with noise share a seed, if they do, in a sentence.

    Args:
        seeds: The seed of each setting that has noise.
    """
    return [SHARED_DRAWS] if max(Counter(seeds).values(), default=0) > 1 else []
