"""Draw the workflow from its own rule graph into docs/figures/pipeline.svg; never edited by hand."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
from boxes import Box, draw, save

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "figures" / "pipeline.svg"
MAKES = {  # what each rule makes
    "download_adult": "the raw files, by their SHA-256",
    "features": "rows of norm at most 1, and what ε doesn't cover",
    "split": "training and test rows",
    "network": "who is whose neighbour",
    "calibrate": "each noise that a budget needs, once",
    "calibrations": "the noise of every setting of an experiment",
    "traces": "every iteration of every setting, and the ledger of its releases",
    "table": "statistics over the runs, and total ε by every accountant",
    "figure": "PDF and PNG",
    "claims": "a verdict on each claim of the paper",
    "settings": "every setting's parameters",
    "pictures_of_main_networks": "each with the node that sets the bound",
    "report": "all of it, in one page to explore",
}


def rules() -> "nx.DiGraph[str]":
    """Return which rule needs which when `make` runs, without the target and without rules that stand alone."""
    with TemporaryDirectory() as empty:
        command = [str(Path(sys.executable).parent / "snakemake"), "--rulegraph", "dot", "--directory", empty]
        told = subprocess.run(
            [*command, "--snakefile", str(ROOT / "Snakefile"), "--", "main"], check=True, capture_output=True, text=True
        ).stdout
    names = dict(re.findall(r'(\d+)\[label = "([^"]+?)(?:_[0-9a-f]{12})?"', told))  # a batch has a rule of its own
    needs: nx.DiGraph[str] = nx.DiGraph()
    for needed, needing in re.findall(r"(\d+) -> (\d+)", told):
        needs.add_edge(names[needing], names[needed])
    needs.remove_node("main")
    needs.remove_nodes_from([name for name in needs if not nx.degree(needs, name)])
    return needs


if __name__ == "__main__":
    save(draw(rules(), lambda rule: Box(MAKES[rule]), "feeds", upwards=True), PICTURE)
