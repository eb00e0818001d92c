"""Columns of a table as they were read: numbers, or texts represented by codes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.data.tables.spelling import PLAIN, Spelling


@dataclass(frozen=True)
class Column:
    """One column, each row of which has a text, a number, both or neither.

    Args:
        codes: Index of each row's text in `texts`, −1 where the value is missing.
        texts: The distinct texts, in ascending order; numbers in their shortest spelling.
        numbers: The number that each text spells, or None if any text spells none.
        spelling: How the table spells numbers.
    """

    codes: Integers
    texts: Sequence[str]
    numbers: Array | None
    spelling: Spelling = PLAIN

    @property
    def missing(self) -> Mask:
        """Mask of the rows whose value is missing."""
        return self.codes < 0

    @property
    def values(self) -> Array:
        """Return the number of each row, 0 where it is missing; only for columns of numbers."""
        return np.append([] if self.numbers is None else self.numbers, 0.0)[self.codes]

    def first(self, wanted: Mask) -> tuple[int, str]:
        """Return the first row for which a mask is true, counted from 1, and its text.

        Args:
            wanted: Mask of the rows, true at least once.
        """
        row = int(np.flatnonzero(wanted)[0])
        return row + 1, shown(self.texts[self.codes[row]])


Table = Mapping[str, Column]


def make_column(
    values: pa.ChunkedArray, place: str, missing_values: Iterable[str], spelling: Spelling = PLAIN
) -> Column:
    """Make a column of numbers, booleans or texts from Arrow's array.

    Args:
        values: Values as Arrow read them.
        missing_values: Texts that stand for a missing value, besides an empty one.
    """
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_boolean(kind):
        values = values.cast(pa.int8())
    elif not (_is_text(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise InputError(f"{place} has the type {kind}: must be of numbers, texts or booleans, or be among data.ignore")
    whole = values.combine_chunks()
    coded = whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()
    code = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    if _is_text(kind):
        return _of_texts(code, coded.dictionary, missing_values, spelling)
    return _of_numbers(code, coded.dictionary)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _of_numbers(code: Integers, dictionary: pa.Array) -> Column:
    column = column_of_numbers(dictionary.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    return Column(np.append(column.codes, -1)[code], column.texts, column.numbers)


def column_of_numbers(values: Array) -> Column:
    """Make a column of numbers, of which NaN are missing.

    Args:
        values: One number for each row.
    """
    ordered, place = np.unique(values, return_inverse=True)  # NaN come last
    present = ordered[~np.isnan(ordered)]
    return Column(np.where(place < len(present), place, -1), _Spelled(present), present)


def _of_texts(code: Integers, dictionary: pa.Array, missing_values: Iterable[str], spelling: Spelling) -> Column:
    trimmed = pc.utf8_trim_whitespace(dictionary.cast(pa.string()))
    absent = pc.is_in(trimmed, value_set=pa.array(["", *missing_values], pa.string())).to_numpy(zero_copy_only=False)
    texts, place = np.unique(np.array(trimmed.to_pylist(), dtype=object)[~absent], return_inverse=True)
    new = np.full(len(dictionary) + 1, -1)
    new[:-1][~absent] = place
    numbers = spelling.numbers(pa.array(texts, pa.string()))
    return Column(new[code], texts.tolist(), numbers, spelling)


class _Spelled(Sequence[str]):
    """Numbers as texts, spelled only on access: there may be as many as rows."""

    def __init__(self, numbers: Array) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: Any) -> Any:
        number = float(self._numbers[place])
        return str(int(number)) if number.is_integer() else repr(number)


def first_without_number(column: Column) -> tuple[int, str]:
    """Return the first row, counted from 1, whose text spells no number, and that text.

    Args:
        column: A column that has such a row.
    """
    spelled = (column.spelling.numbers(pa.array([text], pa.string())) for text in column.texts)
    wrong = np.array([numbers is None for numbers in spelled] + [False])
    return column.first(wrong[column.codes])
