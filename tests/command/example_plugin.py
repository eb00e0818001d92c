"""A small data set as a plug-in, and flags that solve it."""

from radmm.__main__ import main

SOURCE = '''
from typing import ClassVar
import numpy as np
import radmm

class Coins(radmm.DataSource):
    """Made in a moment, from no file."""
    name: ClassVar[str] = "coins"
    rows: ClassVar[int] = 240
    features: ClassVar[int] = 3
    classes: ClassVar[int] = 2

    def sources(self, local_files):
        return []

    def build(self, raw):
        rng = np.random.default_rng(0)
        matrix = rng.standard_normal((240, 3))
        matrix /= np.maximum(1, np.linalg.norm(matrix, axis=1))[:, None]
        labels = np.where(matrix @ [2.0, -1.0, 0.5] + 0.3 * rng.standard_normal(240) > 0, 1.0, -1.0)
        return radmm.Features(matrix, ["heads", "tails", "edge"], labels, {"how": "thrown"})
'''
FLAGS = ["--network", "ring,nodes=4", "--C", "10", "--rho", "0.5", "--iterations", "6"]
DATA = ["--data", "coins", "--train", "200", "--runs", "3"]


def plugin(folder):
    """The data set's file."""
    path = folder / "coins.py"
    path.write_text(SOURCE)
    return ["--plugin", str(path)]


def solved(folder, *more):
    """Exit code of a solve into the folder."""
    return main(["solve", *plugin(folder), *FLAGS, *DATA, *more])
