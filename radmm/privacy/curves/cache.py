"""Cache of curves: those that radmm ships as package data, and those of this user on disk.

A curve of exponential-norm noise takes seconds. Those that the shipped experiments need are package data, which `make
curves` makes anew; a test makes some of them again and compares. Others are kept in `folder()`, about 10 kB each, and
are made again if they are not there: `rm -r ~/.cache/radmm` clears it.
"""

import hashlib
import io
import json
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from radmm.base.arrays import Array
from radmm.base.store import fault, replacing, user_cache, vouched

VERSION = 3  # of the numbers: raised when a curve comes out differently, so that older ones are not used
SHIPPED = Path(__file__).with_name("shipped.npz")
Points = Mapping[str, Array]
FIELDS = ("end", "shift", "places", "program")  # of one curve, in the order of package data


def folder() -> Path:
    """Return the folder of this user's curves: $RADMM_CURVES, or the user's cache folder."""
    home = os.environ.get("RADMM_CURVES")
    return Path(home) if home else user_cache()


def cached(key: str, make: Callable[[], Points]) -> Points:
    """Return what `make` returns, from package data or from disk if it was made before.

    Args:
        key: Everything that the arrays depend on.
        make: Function that returns the arrays by name.
    """
    named = f"{VERSION} {key}"
    shipped = _shipped(named)
    if shipped is not None:
        return shipped
    path = _path(named)
    if not fault(path):  # there, and whole
        with np.load(path) as stored:
            if str(stored["key"]) == named:
                return {name: stored[name] for name in stored.files if name != "key"}
    arrays = make()
    try:
        with vouched(path) as temporary:
            np.savez(temporary, key=np.array(named), **arrays)  # type: ignore[arg-type]
    except OSError:  # a folder that can't be written to costs time, not results
        return arrays
    return arrays


def is_kept(key: str) -> bool:
    """Return whether arrays are package data or on disk.

    Args:
        key: Everything that the arrays depend on.
    """
    named = f"{VERSION} {key}"
    return _shipped(named) is not None or _path(named).is_file()


def _path(named: str) -> Path:
    return folder() / f"curve-{hashlib.sha256(named.encode()).hexdigest()[:24]}.npz"


@lru_cache(maxsize=1)
def _package_data() -> tuple[Mapping[str, Array], Mapping[str, tuple[str, int, int, int]]]:
    """Return the shipped arrays, unpacked on access only, and of each key the name of its array and its parts' ends."""
    if not SHIPPED.exists():
        return {}, {}
    stored = np.load(io.BytesIO(SHIPPED.read_bytes()))
    return stored, json.loads(str(stored["keys"]))


@lru_cache(maxsize=1024)
def _shipped(named: str) -> Points | None:
    """Return a curve of the package data, or None if it is not among them."""
    arrays, places = _package_data()
    if named not in places:
        return None
    name, *ends = places[named]
    return dict(zip(FIELDS, np.split(arrays[name].astype(np.float64), ends), strict=True))


def ship(curves: Mapping[str, Points]) -> None:
    """Write package data, in single precision and rounded up, as a bound may be.

    The places are rounded up, too: a falling curve is at most what it was a little before.

    Args:
        curves: Curves by key, without the version.
    """
    places, arrays = {}, {}
    for number, (key, found) in enumerate(sorted(curves.items())):
        exact = np.concatenate([found[name] for name in FIELDS])
        short = exact.astype(np.float32)
        arrays[f"c{number}"] = np.where(short < exact, np.nextafter(short, np.float32(np.inf)), short)
        ends = np.cumsum([len(found[name]) for name in FIELDS[:-1]])
        places[f"{VERSION} {key}"] = (f"c{number}", *map(int, ends))
    with replacing(SHIPPED) as temporary:
        np.savez_compressed(temporary, keys=np.array(json.dumps(places)), **arrays)  # type: ignore[arg-type]
