"""Compression of one-hot rows: one entry for each combination of categories that occurs, not one for each category.

A category's column holds, in every row that has it, the row's scale: 1 over the row's norm, times its label. A field is
a set of such columns of which no row has two, like those that came from one column of a table. Fields with few joint
combinations are merged into a part, in which every row has one combination of columns, given by its code. A pass then
sums f over every combination once, and reads but one entry for each row and part. Of Census-Income's 33 fields 8 parts
are left. What is computed is the same sum in another order.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations as pairs_of
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from radmm.base.arrays import Array, Integers, Mask

SAMPLE = 4096  # rows by which pairs of parts are compared before they are joined
ROWS_EACH = 32  # on average, for each combination of a part that was joined
MOST_JOINED = 1024  # combinations of such a part
MOST_COMPARED = 64  # fields
MOST_FIELDS = 1.5  # for each entry of a row
MOST_COMBINATIONS = 2**16  # a code has 16 bits


@dataclass(frozen=True)
class Combinations:
    """Rows whose one-hot columns are replaced by one code for each part, and the columns that remain as they are."""

    columns: Mask  # which of all columns
    scale: Array  # a row's value wherever it has one of them
    code: NDArray[np.uint16]  # its combination in every part, (row, part)
    part_start: Integers  # of each part's combinations
    start: Integers  # of each combination's columns
    member: NDArray[np.int32]


@dataclass(frozen=True)
class Field:
    """Consecutive columns of which no row has two."""

    start: int
    code: Integers  # which of them a row has, counted from 1; 0 for none


@dataclass(frozen=True)
class Part:
    """Fields with one code for each row, which says which combination of their columns the row has."""

    fields: tuple[Field, ...]
    code: Integers
    size: int  # above all codes

    def with_other(self, other: Part) -> Part:
        """Join two parts; only combinations that occur get a code."""
        code, seen = self._codes_with(other)
        number = np.cumsum(seen, dtype=np.int32)
        return Part(self.fields + other.fields, number.take(code) - 1, int(number[-1]))

    def size_with(self, other: Part) -> int:
        """Count the combinations that occur if another part is joined to this one."""
        return int(np.count_nonzero(self._codes_with(other)[1]))

    def _codes_with(self, other: Part) -> tuple[Integers, Mask]:
        code = self.code * np.int32(other.size) + other.code
        seen = np.zeros(self.size * other.size, dtype=bool)
        seen[code] = True
        return code, seen

    def sampled(self, step: int) -> Part:
        """Return the part of every step-th row."""
        return Part(self.fields, self.code[::step], self.size)

    def columns(self) -> list[Integers]:
        """Return the columns of each combination."""
        example = np.full(self.size, -1)  # a row that has the combination
        example[self.code] = np.arange(len(self.code))
        codes = np.stack([field.code[example] * (example >= 0) for field in self.fields], axis=1)
        columns = codes + [field.start - 1 for field in self.fields]
        return [own[code > 0] for own, code in zip(columns, codes, strict=True)]


def no_combinations(rows: scipy.sparse.csr_array) -> Combinations:
    """Return the rows uncompressed: all columns remain as they are."""
    columns, code = np.zeros(rows.shape[1], dtype=bool), np.zeros((rows.shape[0], 0), dtype=np.uint16)
    nothing = np.zeros(1, dtype=np.int64)
    return Combinations(columns, np.zeros(0), code, nothing, nothing, np.zeros(0, dtype=np.int32))


def find_combinations(rows: scipy.sparse.csr_array, library: ctypes.CDLL) -> Combinations:
    """Find the combinations that save reading, or none where none do.

    Args:
        rows: Rows of one node.
        library: Compiled kernel, which scans the entries.
    """
    entries = _Entries(rows, library)
    scale, columns = entries.scales()
    fields = [Part((field,), field.code, int(field.code.max()) + 1) for field in entries.fields(columns)]
    parts = join_parts(fields, min(rows.shape[0] // ROWS_EACH, MOST_JOINED)) if fields else []
    if not parts or sum(part.size for part in parts) > MOST_COMBINATIONS:
        return no_combinations(rows)
    first = np.cumsum([0, *(part.size for part in parts)], dtype=np.int64)
    code = np.stack([part.code + offset for part, offset in zip(parts, first[:-1], strict=True)], axis=1)
    members = [own for part in parts for own in part.columns()]
    start = np.cumsum([0, *map(len, members)], dtype=np.int64)
    return Combinations(columns, scale, code.astype(np.uint16), first, start, np.concatenate(members).astype(np.int32))


class _Entries:
    """Facts about the rows' entries, found by the compiled kernel; see kernel_codes.h."""

    def __init__(self, rows: scipy.sparse.csr_array, library: ctypes.CDLL) -> None:
        self._library, (self._rows, self._columns) = library, rows.shape
        self._start, self._column = rows.indptr.astype(np.int64), rows.indices.astype(np.int32, copy=False)
        self._value = np.ascontiguousarray(rows.data)

    def scales(self) -> tuple[Array, Mask]:
        """Return each row's largest entry by size, and a mask of the columns that have only their rows' scales."""
        scale, kind = np.empty(self._rows), np.zeros(self._columns, dtype=np.uint8)
        self._call("radmm_scales", self._value, scale, kind)
        return scale, kind == 1

    def fields(self, columns: Mask) -> list[Field]:
        """Group consecutive columns of which no row has two into fields; return none if there are too many fields.

        Rows are read until none has two. As each entry is compared with the one before, sorted rows need it twice.
        """
        chosen, entries = np.flatnonzero(columns), np.count_nonzero(columns.take(self._column))
        nearest = np.full(self._columns, self._columns, dtype=np.int32)  # column after this one that a row has too
        while True:
            start = field_starts(chosen, nearest)
            if not entries or len(start) * self._rows > MOST_FIELDS * entries:
                return []
            field = np.searchsorted(start, np.arange(self._columns), side="right") - 1
            code = np.zeros((len(start), self._rows), dtype=np.int32)
            if not self._call("radmm_field_codes", np.where(columns, field, -1).astype(np.int32), start, code, nearest):
                return [Field(int(first), own) for first, own in zip(start, code, strict=True)]

    def _call(self, function: str, *arrays: NDArray[Any]) -> int:
        given = [array.ctypes.data_as(ctypes.c_void_p) for array in (self._start, self._column, *arrays)]
        found: int = getattr(self._library, function)(ctypes.c_int64(self._rows), *given)
        return found


def field_starts(columns: Integers, nearest: Integers) -> Integers:
    """Return the first column of each field, given for each column the nearest later one that a row has with it."""
    starts, end = [], 0
    for column in columns:
        if column >= end:
            starts.append(column)
            end = len(nearest)
        end = min(end, nearest[column])
    return np.array(starts, dtype=np.int32)


def join_parts(fields: list[Part], most: int) -> list[Part]:
    """Join parts, always those two with the fewest combinations in a sample of rows, while these are at most `most`."""
    parts = dict(enumerate(fields[:MOST_COMPARED]))
    step = max(1, len(fields[0].code) // SAMPLE)
    samples = {name: part.sampled(step) for name, part in parts.items()}

    def sizes(pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
        can = ((one, other) for one, other in pairs if max(parts[one].size, parts[other].size) <= most)
        return {(one, other): samples[one].size_with(samples[other]) for one, other in can}

    candidates = sizes(pairs_of(parts, 2))
    while candidates:
        one, other = min(candidates, key=candidates.__getitem__)
        joined = parts[one].with_other(parts[other])
        if joined.size > most:
            del candidates[one, other]
            continue
        del parts[other]
        parts[one], samples[one] = joined, joined.sampled(step)
        candidates = {pair: size for pair, size in candidates.items() if not {one, other} & set(pair)}
        candidates |= sizes((one, third) for third in parts if third != one)
    return [*parts.values(), *fields[MOST_COMPARED:]]
