"""A table's columns as they were read: numbers, or texts that are told by a code."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.data.tables.recipe import as_number


@dataclass(frozen=True)
class Column:
    """One column, each row of which has a text, a number, both or neither.

    Args:
        codes: For each row the place of its text among the texts, −1 where the value is missing.
        texts: The different ones, in ascending order; numbers come as they are written shortest.
        numbers: For each text the number that it spells, or None if there is a text that spells none.
    """

    codes: Integers
    texts: Sequence[str]
    numbers: Array | None

    @property
    def missing(self) -> Any:
        """Whether each row's value is missing."""
        return self.codes < 0

    @property
    def values(self) -> Array:
        """The number of each row, 0 where it is missing; a column that is not of numbers has none."""
        return np.append([] if self.numbers is None else self.numbers, 0.0)[self.codes]

    def first(self, wanted: Any) -> tuple[int, str]:
        """The first row of which something is true, counted from 1, and its text.

        Args:
            wanted: True or false for each row; true at least once.
        """
        row = int(np.flatnonzero(wanted)[0])
        return row + 1, shown(self.texts[self.codes[row]])


Table = Mapping[str, Column]


def make_column(values: pa.ChunkedArray, place: str, missing_values: Iterable[str]) -> Column:
    """A column of a file, of numbers, booleans or texts.

    Args:
        values: As Arrow read them.
        place: The file and the column, for a message.
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
    return _of_texts(code, coded.dictionary, missing_values) if _is_text(kind) else _of_numbers(code, coded.dictionary)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _of_numbers(code: Integers, dictionary: pa.Array) -> Column:
    column = column_of_numbers(dictionary.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    return Column(np.append(column.codes, -1)[code], column.texts, column.numbers)


def column_of_numbers(values: Array) -> Column:
    """A column of numbers, of which NaN are missing.

    Args:
        values: One for each row.
    """
    ordered, place = np.unique(values, return_inverse=True)  # NaN come last
    present = ordered[~np.isnan(ordered)]
    return Column(np.where(place < len(present), place, -1), _Spelled(present), present)


def _of_texts(code: Integers, dictionary: pa.Array, missing_values: Iterable[str]) -> Column:
    trimmed = pc.utf8_trim_whitespace(dictionary.cast(pa.string()))
    absent = pc.is_in(trimmed, value_set=pa.array(["", *missing_values], pa.string())).to_numpy(zero_copy_only=False)
    texts, place = np.unique(np.array(trimmed.to_pylist(), dtype=object)[~absent], return_inverse=True)
    new = np.full(len(dictionary) + 1, -1)
    new[:-1][~absent] = place
    try:
        spelled = pc.replace_substring_regex(pa.array(texts, pa.string()), r"^\+", "")
        numbers = spelled.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        numbers = None
    return Column(new[code], texts.tolist(), numbers)


class _Spelled(Sequence[str]):
    """Numbers as texts, spelled when one is asked for: there may be as many as rows."""

    def __init__(self, numbers: Array) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: Any) -> Any:
        number = float(self._numbers[place])
        return str(int(number)) if number.is_integer() else repr(number)


def first_without_number(column: Column) -> tuple[int, str]:
    """The first row, counted from 1, whose text spells no number, and that text.

    Args:
        column: One that has such a row.
    """
    wrong = np.array([as_number(text) is None for text in column.texts] + [False])
    return column.first(wrong[column.codes])
