"""What every ε of some settings rests on, in sentences: they stand in tables, below figures and with the claims."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radmm.base.store import checked
from radmm.results.tables import read_ledger

ASSUMED = (
    "Every epsilon is a total over all iterations so far and all nodes, for replacing one row, in exact arithmetic and "
    "with exact argmins unless the noise has a repair."
)


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
