"""Draw a network from its law, and write its edge list with its degrees and Laplacian spectrum."""

from pathlib import Path

from radmm.base.json_object import JsonObject
from radmm.base.store import content_hash, write_json
from radmm.data.prepared_files import write_edges
from radmm.data.topology import make_edges
from radmm.jobs.steps.step_runner import say
from radmm.model.network import MOST_FOR_SPECTRUM, Network


def network(section: JsonObject, edges: Path, facts: Path) -> None:
    """Write the edges and properties of a network.

    Args:
        section: Law of the network with its parameters.
        edges: Output: the edge list.
        facts: Output: its properties.
    """
    pairs = make_edges(section)
    built = Network.from_edges(pairs)
    write_edges(edges, pairs)
    described = {
        "nodes": built.nodes,
        "edges": len(pairs),
        "connected": True,  # a network that isn't is refused above
        "degrees": [int(degree) for degree in built.degrees],
        "laplacian_spectrum": _spectrum(built),
        "hash": content_hash(pairs),
    }
    write_json(facts, described)
    say(f"{built.nodes} nodes, {len(pairs)} edges, degrees from {built.degrees.min():g} to {built.degrees.max():g}")


def _spectrum(built: Network) -> list[float] | None:
    """Return the Laplacian spectrum; None for a network that is too large for it."""
    if built.nodes > MOST_FOR_SPECTRUM:
        return None
    return [round(float(value), 12) for value in built.laplacian_spectrum()]
