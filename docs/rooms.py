"""Draw the rooms of the package from its import graph into docs/figures/rooms.svg; never edited by hand.

An arrow goes from a room to one that it imports. Arrows that follow from others are left out: whoever imports `privacy`
may import all that `privacy` stands on.
"""

import importlib
from pathlib import Path

import grimp
import networkx as nx
from boxes import Box, draw, save

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "figures" / "rooms.svg"


def imports() -> "nx.DiGraph[str]":
    """Return which room imports which; single modules of the package are rooms, too."""
    modules = grimp.build_graph("radmm")
    rooms: nx.DiGraph[str] = nx.DiGraph()
    for module in sorted(modules.modules):
        for imported in sorted(modules.find_modules_directly_imported_by(module)):
            pair = [name.split(".")[1] if "." in name else None for name in (module, imported)]
            if None not in pair and pair[0] != pair[1]:
                rooms.add_edge(*pair)
    return rooms


def purpose(room: str) -> str:
    """Return the purpose of a room: the first line of its docstring, up to the colon."""
    if room == "__main__":
        return "the command line"
    text = (importlib.import_module(f"radmm.{room}").__doc__ or "").split("\n")[0]
    return text.split(":")[0].rstrip(".").split(";")[0]


def about(room: str) -> Box:
    """Return the content of a room's box: its purpose, with a dashed border for a single module."""
    return Box(purpose(room), dashed=not (ROOT / "radmm" / room).is_dir())


if __name__ == "__main__":
    save(draw(imports(), about, "imports", upwards=False), PICTURE)
