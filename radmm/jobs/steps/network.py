"""Make a network, and write its edge list with its degrees and Laplacian spectrum."""

import json
from pathlib import Path
from typing import Any

from radmm.base.store import content_hash, write_json, write_text
from radmm.data.graphs import make_edges
from radmm.jobs.steps.command import run, say
from radmm.model.network import Network


def network(section: dict[str, Any], edges: Path, facts: Path) -> None:
    pairs = make_edges(**section)
    built = Network.from_edges(pairs)
    write_text(edges, "".join(f"{left} {right}\n" for left, right in pairs))
    described = {
        "nodes": built.nodes,
        "edges": len(pairs),
        "connected": True,  # a network that isn't is refused above
        "degrees": [int(degree) for degree in built.degrees],
        "laplacian_spectrum": [round(float(value), 12) for value in built.laplacian_spectrum()],
        "hash": content_hash(pairs),
    }
    write_json(facts, described)
    say(f"{built.nodes} nodes, {len(pairs)} edges, degrees {described['degrees']}")


if __name__ == "__main__":
    run(network, __doc__, section=json.loads, edges=Path, facts=Path)
