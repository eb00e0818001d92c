"""Cache of curves: those that radmm ships as package data, and those of this user on disk.

A curve of exponential-norm noise takes seconds. Those that the shipped experiments need are package data, which `make
curves` makes anew; a test makes some of them again and compares. Others are kept in `folder()`, about 10 kB each, and
are made again if they are not there: `rm -r ~/.cache/radmm` clears it.
"""

import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
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
    shipped = _shipped()
    if named in shipped:
        return shipped[named]
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
    return named in _shipped() or _path(named).is_file()


def _path(named: str) -> Path:
    return folder() / f"curve-{hashlib.sha256(named.encode()).hexdigest()[:24]}.npz"


class _Shipped(Mapping[str, Points]):
    """Package data by key; a curve is unpacked only on access, as a job needs few of a thousand."""

    def __init__(self, path: Path) -> None:
        self._stored = np.load(io.BytesIO(path.read_bytes()))
        self._places: dict[str, tuple[str, int, int, int]] = json.loads(str(self._stored["keys"]))
        self._asked_for: dict[str, Points] = {}

    def __getitem__(self, key: str) -> Points:
        if key not in self._asked_for:
            name, *ends = self._places[key]
            parts = np.split(self._stored[name].astype(np.float64), ends)
            self._asked_for[key] = dict(zip(FIELDS, parts, strict=True))
        return self._asked_for[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Points]:
    return _Shipped(SHIPPED) if SHIPPED.exists() else {}


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
