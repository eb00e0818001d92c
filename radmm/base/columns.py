"""Columns of Parquet files as NumPy arrays, and back, by hand: pyarrow's own conversions import pandas.

That costs a job a fifth of a second, which is longer than most of them take to read and write their columns.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray


def read_columns(path: str | Path, names: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
    """By name; null is NaN, or None among text, and integers among which there is one are floats.

    Args:
        path: Of a Parquet file of numbers, booleans and text.
        names: Of the columns; all of them if not given.
    """
    with pq.ParquetFile(path) as file:
        table = file.read(None if names is None else list(names), use_threads=False)  # brief files, a core a job
    return {
        name: _as_numpy(column.combine_chunks()) for name, column in zip(table.column_names, table.columns, strict=True)
    }


def _as_numpy(column: pa.Array) -> NDArray[Any]:
    kind, rows = column.type, slice(column.offset, column.offset + len(column))
    if pa.types.is_null(kind):
        return np.full(len(column), None)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        coded = column.dictionary_encode()
        texts = np.array([*coded.dictionary.to_pylist(), None], dtype=object)
        places = _as_numpy(coded.indices)
        return texts[np.where(np.isnan(places), -1, places).astype(np.int64)]
    validity, content = column.buffers()
    if pa.types.is_boolean(kind):
        values: NDArray[Any] = _bits(content)[rows]
    else:
        values = np.frombuffer(content, dtype={"double": "f8", "float": "f4"}.get(str(kind), str(kind)))[rows]
    return np.where(_bits(validity)[rows], values, np.nan) if column.null_count else values


def _bits(buffer: pa.Buffer) -> NDArray[np.bool_]:
    return np.unpackbits(np.frombuffer(buffer, dtype=np.uint8), bitorder="little").astype(bool)


def column_of(values: Sequence[Any]) -> NDArray[Any]:
    """Values of Python as one column, which has one type; None and NaN are missing.

    Args:
        values: If some are text or lists all become text, and whole numbers beside missing ones become floats.
    """
    missing = [value is None or value != value for value in values]
    if any(isinstance(value, str | list | tuple) for value in values):
        texts = [None if gap else str(value) for value, gap in zip(values, missing, strict=True)]
        return np.array(texts, dtype=object)
    flags = any(isinstance(value, bool) for value in values)
    if all(value is None for value in values) or (flags and any(missing)):
        return np.array(values, dtype=object)
    return np.array([np.nan if gap else value for value, gap in zip(values, missing, strict=True)])


def as_arrow(values: Any) -> pa.Array:
    """One column; NaN becomes null, and so does None among text.

    Args:
        values: An array of any kind; text among Python objects is stored with long offsets, as pandas stores it.
    """
    if isinstance(values, pa.Array):
        return values
    kind = values.dtype.kind if isinstance(values, np.ndarray) else ""
    if kind == "U":
        return _texts(values.tolist(), pa.string(), np.int32)
    if kind == "O" and all(value is None for value in values):
        return pa.nulls(len(values))
    if kind == "O" and all(value is None or type(value) is str for value in values):
        return _texts(values.tolist(), pa.large_string(), np.int64)
    if kind not in ("b", "i", "f"):
        return pa.array(values, from_pandas=True)
    present = ~np.isnan(values)
    content = np.packbits(values, bitorder="little") if kind == "b" else np.ascontiguousarray(values)
    type_ = pa.bool_() if kind == "b" else pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(type_, len(values), [_validity(present), pa.py_buffer(content)])


def _texts(values: list[str | None], kind: pa.DataType, offset: type[np.signedinteger[Any]]) -> pa.Array:
    """Each different text is encoded once."""
    places = {text: place for place, text in enumerate(dict.fromkeys(text for text in values if text is not None))}
    encoded = [text.encode() for text in places]
    ends = np.cumsum([0, *map(len, encoded)]).astype(offset)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    dictionary = pa.Array.from_buffers(kind, len(encoded), buffers)
    indices = np.array([-1 if text is None else places[text] for text in values], dtype=np.int32)
    coded = pa.Array.from_buffers(pa.int32(), len(values), [_validity(indices >= 0), pa.py_buffer(np.abs(indices))])
    return pa.DictionaryArray.from_arrays(coded, dictionary).dictionary_decode()


def _validity(present: NDArray[np.bool_]) -> pa.Buffer | None:
    return None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))
