"""`radmm predict`: apply a saved classifier to a table."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import sparse

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.regular_files import require_output, require_regular
from radmm.base.store import replacing
from radmm.command.parser import OK, Commands, add_command, lines, note, tell
from radmm.command.raw_rows import is_raw, libsvm_rows, raw_rows
from radmm.data.sources.table import LIBSVM
from radmm.data.tables.libsvm import read_libsvm
from radmm.data.tables.recipe import Missing, same_text
from radmm.outcome.classifier import Classifier
from radmm.outcome.scores import is_likelihood
from radmm.publication.public_release import declared_table

EXAMPLES = """\
  radmm predict f.json people.csv                         a CSV of predictions on the terminal
  radmm predict f.json people.parquet --output out.csv    the same in a file
  radmm predict f.json data/adult.parquet --label label   how good they are, too
"""
CODES = "0 if there is a prediction for each row, 2 if the classifier or the table can't be used"


def add(commands: Commands) -> None:
    """Add `radmm predict` and its flags to the command line."""
    about = "Apply a saved classifier to a table; it has the features, or the raw columns they come from."
    parser = add_command(commands, "predict", run, about, EXAMPLES, CODES)
    parser.add_argument(
        "classifier", type=Path, metavar="CLASSIFIER", help="file written by radmm solve or radmm release"
    )
    parser.add_argument("table", type=Path, metavar="TABLE", help="CSV, Parquet or LIBSVM file")
    parser.add_argument(
        "--label",
        metavar="COLUMN",
        help="column with the true labels, for the test error (label in LIBSVM files)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="CSV or Parquet file for the predictions")


def run(given: argparse.Namespace) -> int:
    """Score every row, write predictions, and print metrics if there are labels."""
    require_regular("table", given.table)
    if given.output:
        _check_output(given.output)
    classifier = Classifier.load(given.classifier)
    rows, table = rows_of(classifier, given.table, given.label)
    found: dict[str, Array] = {"prediction": classifier.predict(rows)}
    scores = classifier.scores(rows)
    if scores.ndim == 1:
        found["score"] = scores
    if is_likelihood(classifier.loss) and scores.ndim == 1:
        found["probability"] = classifier.probabilities(rows)
    predictions = pd.DataFrame(found, index=table.index)
    facts: JsonObject = {
        "rows": rows.shape[0],
        "predictions": {str(name): int(count) for name, count in predictions["prediction"].value_counts().items()},
    }
    if given.label is not None:
        facts["metrics"] = classifier.metrics(rows, labels_of(classifier, table, given.table, given.label))
    if given.output:
        write_table(predictions, given.output)
        note(f"{rows.shape[0]} predictions written to {given.output}")
    if given.json or given.label or given.output:
        metrics = {name: f"{value:.6g}" for name, value in facts.get("metrics", {}).items()}
        counts = ", ".join(f"{count} times {name}" for name, count in facts["predictions"].items())
        tell(given, facts, lines({"rows": str(rows.shape[0]), "predicted": counts, **metrics}))
    else:
        print(predictions.to_csv(index_label="row"), end="")
    return OK


def rows_of(classifier: Classifier, path: Path, label: str | None) -> tuple[Array | sparse.csr_array, pd.DataFrame]:
    """Return the features of each row, and the table that holds the labels.

    Args:
        label: Name of the labels' column, if it has one; for a LIBSVM file the name that its labels get.
    """
    if not path.name.endswith(LIBSVM):
        data = _data_section(classifier)
        table = read_table(path, data)
        if data.get("missing") == Missing.DROP:
            table = _complete(table, [*_raw_columns(classifier), *([label] if label else [])])
        return feature_rows(classifier, table, path, label), table
    read = read_libsvm(path)
    rows = libsvm_rows(classifier.made.get("prepared") or {}, read, list(classifier.columns or []), path)
    return rows, pd.DataFrame({"label": read.labels})


def _raw_columns(classifier: Classifier) -> list[str]:
    prepared = classifier.made.get("prepared") or {}
    return [*prepared.get("scales", {}), *prepared.get("categories", {})]


def _complete(table: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return the rows that miss no value, as the training rows were chosen; the others get no prediction."""
    kept = table.dropna(subset=[name for name in columns if name in table])
    if len(kept) < len(table):
        note(f"{len(table) - len(kept)} rows miss a value and get no prediction, as training dropped such rows")
    return kept


def read_table(path: Path, data: Mapping[str, Any]) -> pd.DataFrame:
    """Read a table from CSV or Parquet, by its suffix.

    Args:
        data: Data section of the classifier's setting; a CSV file is read as it says if that was a table too.
    """
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"{path}: must be a .csv or .parquet file, or a LIBSVM one ({', '.join(LIBSVM)})")
    try:
        return pd.read_csv(path, **_spelling(data)) if path.suffix == ".csv" else pd.read_parquet(path)
    except (ValueError, pa.ArrowInvalid) as error:  # pandas' own errors are ValueErrors
        raise InputError(f"{path}: must be a table, but {' '.join(str(error).split())}") from None


def _spelling(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return how pandas is to read a file like the training table: its separator, numbers and missing values."""
    if "missing_values" not in data:
        return {}
    missing = {"na_values": ["", *data["missing_values"]], "keep_default_na": False}
    numbers = {"decimal": data.get("decimal", "."), "thousands": data.get("thousands") or None}
    return {**missing, **numbers, "sep": data["separator"], "encoding": data.get("encoding", "utf8")}


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV or Parquet, by its suffix."""
    with replacing(path) as temporary:
        if path.suffix == ".csv":
            table.to_csv(temporary, index_label="row")
        else:
            table.to_parquet(temporary)


def _check_output(path: Path) -> None:
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"--output {path}: must be a .csv or .parquet file")
    require_output("--output", path)


def feature_rows(classifier: Classifier, table: pd.DataFrame, path: Path, label: str | None) -> Array:
    """Return the columns that the classifier knows, in its order; all but the label's if it knows no names.

    A raw table is prepared like that of the training rows, if the classifier knows how.

    Args:
        path: File that it was read from, for messages.
        label: Name of the labels' column, if it has one.
    """
    names = list(classifier.columns or [name for name in table.columns if name != label])
    prepared = classifier.made.get("prepared") or {}
    declared = declared_table(classifier)
    if declared is not None and all(name in table for name in declared.columns):
        return declared.encode({name: _texts(table[name]) for name in declared.columns})
    if is_raw(prepared, table, names):
        return raw_rows(prepared, table, names, path)
    missing = [name for name in names if name not in table]
    if missing:
        raise InputError(
            f"{path} has no column {missing[0]!r}: must have the {len(names)} features that the classifier has"
        )
    try:
        rows: Array = table[names].to_numpy(dtype=np.float64)
    except (ValueError, TypeError):
        wrong = next(name for name in names if table[name].dtype.kind not in "iufb")
        raise InputError(f"{path}: column {wrong!r} must hold numbers") from None
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        row, column = bad[0]
        raise InputError(f"{path}: row {row} has no finite number in column {names[column]!r}: every value must be one")
    if len(rows) and np.linalg.norm(rows, axis=1).max() > 1.0 + 1e-6:
        note("some rows have a norm above 1: training rows had at most 1, so scale these as they were scaled")
    return rows


def labels_of(classifier: Classifier, table: pd.DataFrame, path: Path, column: str) -> Array:
    """Return the labels as the numbers that losses take.

    Args:
        path: File that it was read from, for messages.
        column: Name of the labels' column.
    """
    if column not in table:
        raise InputError(f"--label {column}: must be a column of {path}")
    values, declared = table[column], declared_table(classifier)
    if declared is not None and column == declared.label:
        return declared.labels(_texts(values))[0]
    if classifier.classes is None:
        return values.to_numpy()
    plain = ("-1", "1") if classifier.weights.ndim == 1 else map(str, range(len(classifier.classes)))
    known = {name: place for place, name in enumerate(plain)}  # as prepared data have them
    known |= {same_text(str(name)): place for place, name in enumerate(classifier.classes)}
    above = _data_section(classifier).get("above")
    if above is not None and not values.map(lambda value: same_text(str(value)) in known).all():
        return np.where(_numbers(values, path, column) > above, 1.0, -1.0)
    place = values.map(lambda value: known.get(same_text(str(value))))
    if place.isna().any():
        wrong = values[place.isna()].iloc[0]
        raise InputError(
            f"{path}: {wrong!r} in column {column!r} must be one of {', '.join(map(str, classifier.classes))}"
        )
    numbers: Array = place.to_numpy(dtype=np.float64)
    return 2.0 * numbers - 1.0 if classifier.weights.ndim == 1 else numbers


def _data_section(classifier: Classifier) -> Mapping[str, Any]:
    """Return the data section of the classifier's setting, empty if it is a name alone."""
    data = (classifier.made.get("parameters") or {}).get("data")
    return data if isinstance(data, dict) else {}


def _numbers(values: "pd.Series[Any]", path: Path, column: str) -> Array:
    numbers: Array = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64)
    if np.isnan(numbers).any():
        raise InputError(f"{path}: column {column!r} must hold numbers, as data.above makes the labels from it")
    return numbers


def _texts(values: "pd.Series[Any]") -> list[str]:
    return ["" if pd.isna(value) else str(value) for value in values]
