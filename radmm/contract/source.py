"""The contract of a data source: files known byte for byte, and features as large as it says."""

import re
import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse

from radmm.base.arrays import Array
from radmm.contract.contract_error import calling, require
from radmm.data.source import DataSource, Features
from radmm.model.problem import NORM_SLACK


def check_source(source: DataSource, raw: Path | None = None) -> str | None:
    """Raise Broken if a data source breaks its contract; else return a remark.

    Args:
        raw: The folder that holds its raw files; without it, only features that need no file are built.
    """
    _check_statements(source)
    if source.files:
        with calling("sources"):
            places = source.sources({})
        fits = all(hasattr(place, "name") and hasattr(place, "fetch") for place in places)
        require(fits, "sources must give places, each with a name and a method fetch")
    if source.files and raw is None:
        return "its features were not built: --raw names the folder that holds its files"
    with tempfile.TemporaryDirectory() as empty:
        folder = Path(empty) if raw is None else raw
        with calling("build"):
            source.check_files(folder)
            built, again = source.build(folder), source.build(folder)
    _check_features(source, built)
    same = np.array_equal(_values(built), _values(again)) and np.array_equal(built.labels, again.labels)
    require(same, "the same files give different features the second time")
    return None


def _check_statements(source: DataSource) -> None:
    with calling("size"):
        size = source.size()
    for name, stated in size._asdict().items():
        fits = isinstance(stated, int) and not isinstance(stated, bool) and stated >= (2 if name == "classes" else 1)
        require(fits, f"{name} = {stated!r}: must be a whole number, stated where the config is read")
    for file, digest in source.files.items():
        require(Path(file).name == file, f"files names {file!r}: must be a file's name without a folder")
        require(re.fullmatch("[0-9a-f]{64}", str(digest)), f"files gives {file} the hash {digest!r}: must be a SHA-256")


def _check_features(source: DataSource, built: Features) -> None:
    shape, (*stated, classes) = built.matrix.shape, source.size()
    require(shape == tuple(stated), f"build gives {shape} rows and features, not the stated {tuple(stated)}")
    require(np.all(np.isfinite(_values(built))), "build gives features that are not finite")
    longest = float(np.sqrt(sparse.csr_array(built.matrix).power(2).sum(axis=1)).max())
    require(longest <= 1.0 + NORM_SLACK, f"build gives a row of norm {longest:g}: must be at most 1")
    named = len(built.columns) == shape[1] == len(set(built.columns))
    require(named, f"build gives {len(set(built.columns))} different names for {shape[1]} columns")
    require(np.shape(built.labels) == shape[:1], f"build gives {np.shape(built.labels)} labels for {shape[0]} rows")
    found = sorted(set(np.asarray(built.labels).tolist()))
    require(
        len(found) == classes,
        f"build gives {len(found)} different labels, not the stated {classes} classes",
    )
    wanted = [-1.0, 1.0] if classes == 2 else list(range(classes))
    spelled = "+1 and -1" if classes == 2 else f"0, 1, …, {classes - 1}"
    require(found == wanted, f"build gives the labels {found}: must be {spelled}")
    if built.node is not None:
        fits = np.shape(built.node) == shape[:1] and set(np.unique(built.node)) <= set(range(len(built.node_names)))
        require(fits, "build must give each row the number of one of node_names")


def _values(built: Features) -> Array:
    return np.asarray(built.matrix.data if sparse.issparse(built.matrix) else built.matrix)
