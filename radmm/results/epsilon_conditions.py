"""Conditions under which every ε of some settings holds, in sentences for tables, figures and claims."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from radmm.base.store import checked
from radmm.privacy.guarantee import SHARED_DRAWS
from radmm.results.tables import read_ledger


def conditions(stored: Mapping[str, Mapping[str, Any]], ledgers: Path) -> list[str]:
    """Return what preparing features took from the data and, where noise cancels between neighbours, against whom ε
    holds.

    Args:
        stored: Metadata of traces by setting; those without noise are left out.
        ledgers: Folder of the ledgers of settings with noise.
    """
    private = {name: trace for name, trace in stored.items() if trace["setting"]["noise"] is not None}
    caveats = {trace.get("caveat", "") for trace in private.values()}  # traces of earlier versions have none
    cancelling = [name for name, trace in private.items() if trace["setting"]["noise"].get("cancelling")]
    threats = {read_ledger(checked(ledgers / f"{name}.parquet")).threat for name in cancelling}
    sentences = {f"Where noise cancels, ε holds {threat}." for threat in threats if threat}
    return [*sorted(caveats - {""}), *sorted(sentences)]


def shared_draws(seeds: Iterable[int]) -> list[str]:
    """Return a sentence if two settings with noise share a seed, and hence their draws.

    Args:
        seeds: Seed of each setting that has noise.
    """
    return [SHARED_DRAWS] if max(Counter(seeds).values(), default=0) > 1 else []
