"""The kinds of files that radmm writes, recognised by their content."""

import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.store import METADATA_KEY, recognised
from radmm.jobs.steps.solve import solver_digest
from radmm.jobs.up_to_date import why_outdated_here
from radmm.model.network import Network
from radmm.outcome.classifier import FORMAT, Classifier
from radmm.privacy.guarantee import UNKNOWN_PREPARATION, guarantee_of
from radmm.publication.public_release import LABEL, PublicRelease
from radmm.results.tables import DELTA, read_ledger
from radmm.study.settings import Setting

Description = tuple[str, JsonObject]  # what it is, and what it says of itself
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, RecursionError)  # what Python raises for odd content
OF_TRACES = ("id", "setting", "hashes", "versions", "code", "assumed", "not_for_release")
OF_TABLES = ("experiment", "settings", "data", "code", "assumed", "terms", "runs_ended", "not_for_release")


def describe(path: Path) -> Description | None:
    """Return what a file is, or None if it is none of radmm's."""
    reader = READERS.get(path.suffix)
    try:
        return reader(recognised(path)) if reader else None
    except InputError:
        raise
    except (*UNREADABLE, zlib.error, pa.ArrowInvalid, EOFError) as error:
        reason = " ".join(str(error).split())[:100]
        raise InputError(f"{path} can't be read: must be a whole {path.suffix[1:]} file ({reason})") from None


def _parquet(path: Path) -> Description | None:
    schema, rows = pq.read_schema(path), pq.read_metadata(path).num_rows
    stored = (schema.metadata or {}).get(METADATA_KEY)
    facts: JsonObject = json.loads(stored) if stored else {}
    size = {"rows": rows, "columns": schema.names}
    if "asked" in facts and "status" in facts:
        return "the trace of a setting", _trace(facts) | {"outdated": why_outdated_here(path, facts)} | size
    if "mechanism" in schema.names and "node" in schema.names:
        return "the ledger of a setting: what a run releases", {"id": facts.get("id")} | _ledger(path, facts) | size
    if "experiment" in facts and "data_steps" in facts:
        kept = {name: facts[name] for name in OF_TABLES if name in facts}
        return "the table of an experiment", kept | size
    if "train" in facts and "part" in schema.names:
        return "a split of a data set's rows", facts | size
    if "hash" in facts and "label" in schema.names:
        size = {"rows": rows, "features": len(facts["columns"]), "classes": facts["classes"]}
        return "the features of a data set", {"hash": facts["hash"], **size}
    if {"id", "experiment", "label"} <= set(schema.names):
        return "the settings of a study and their parameters", size
    return ("a table of radmm's", facts | size) if stored else None


def _trace(facts: JsonObject) -> JsonObject:
    ended = [status for status in facts["status"] if status["reason"]]
    try:
        same = solver_digest(Setting.from_json(facts["setting"])) == facts["code"]
    except (InputError, KeyError, TypeError):  # a component that is a plug-in's, or of another version
        same = None
    ends = {
        "runs": len(facts["status"]),
        "runs_ended_early": [f"run {each['run']}: {each['reason']}" for each in ended],
    }
    kept = {name: facts[name] for name in OF_TRACES if name in facts}
    return {**kept, "is_of_this_code": same, **ends}


def _ledger(path: Path, facts: JsonObject) -> JsonObject:
    ledger = read_ledger(path)
    try:
        privacy = str(guarantee_of(ledger, DELTA).under(facts.get("caveat", UNKNOWN_PREPARATION)))
    except InputError as error:  # an accountant that has no proof for these releases
        privacy = f"no ε: {error}"
    first = ledger.releases[0] if ledger.releases else None
    noise = {} if first is None else {"law": str(first.law), "mechanism": first.mechanism, "dimension": first.dimension}
    return {"iterations": ledger.iterations, "nodes": ledger.nodes, **noise, "privacy": privacy}


def _png(path: Path) -> Description | None:
    try:
        with Image.open(path, formats=["PNG"]) as image:
            texts = dict(image.text)  # type: ignore[attr-defined]  # which only pictures of this format have
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:  # as Pillow tells of odd content
        raise ValueError(error) from None
    return _figure(texts.get("Source"), texts.get("Disclaimer"))


def _pdf(path: Path) -> Description | None:
    content = path.read_bytes()
    if not content.startswith(b"%PDF-"):
        raise ValueError("no PDF signature")
    return _figure(_pdf_text(content, b"Keywords"), _pdf_text(content, b"Subject"))


def _pdf_text(content: bytes, field: bytes) -> str | None:
    found = re.search(rb"/" + field + rb" \(((?:\\.|[^\\)])*)\)", content, re.DOTALL)
    if not found:
        return None
    text = re.sub(rb"\\([()\\])", rb"\1", found[1])
    return text.decode("utf-16" if text.startswith(b"\xfe\xff") else "latin-1")


def _figure(source: str | None, disclaimer: str | None) -> Description | None:
    """Describe a figure by its metadata.

    The metadata are like `settings: a, b; data: …; code: …`, and the conditions of its ε.
    """
    parts = [part.partition(": ") for part in (source or "").split("; ")]
    facts = {name: values.split(", ") for name, colon, values in parts if colon}
    said = {"disclaimer": disclaimer} if disclaimer else {}
    return ("a figure", {**facts, **said}) if {"settings", "code"} <= set(facts) else None


def _json(path: Path) -> Description | None:
    content = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(content, dict) and content.get("format") == FORMAT:
        classifier = Classifier.load(path)
        size = {"features": classifier.features, "classes": classifier.classes, "loss": content["loss"]}
        if LABEL in classifier.made:
            return "a release: a classifier that may be published", _release(path) | size
        return "a classifier", size | {"made": dict(classifier.made)}
    if (
        isinstance(content, dict)
        and content
        and all(isinstance(each, dict) and "noise" in each for each in content.values())
    ):
        return "noise that was found for an experiment's budgets", content
    if isinstance(content, dict) and {"degrees", "edges", "connected"} <= set(content):
        return "the facts of a network", content
    return None


def _release(path: Path) -> JsonObject:
    release = PublicRelease.load(path)
    return {"promise": str(release.guarantee), LABEL: release.label}


def _npz(path: Path) -> Description | None:
    with np.load(path, allow_pickle=False) as stored:
        if not {"indptr", "labels", "hash", "shape"} <= set(stored):
            return None
        rows, features = (int(size) for size in stored["shape"])
        size = {"hash": str(stored["hash"]), "rows": rows, "features": features, "nonzeros": int(stored["indptr"][-1])}
        return "the features of a data set, as solvers read them", size


def _edges(path: Path) -> Description | None:
    network = Network.from_edges(np.loadtxt(path, dtype=np.int64, ndmin=2))
    degrees = {"least": int(network.degrees.min()), "largest": int(network.degrees.max())}
    return "a network", {"nodes": network.nodes, "edges": int(network.adjacency.nnz // 2), "degrees": degrees}


READERS: dict[str, Callable[[Path], Description | None]] = {
    ".parquet": _parquet,
    ".png": _png,
    ".pdf": _pdf,
    ".json": _json,
    ".npz": _npz,
    ".edges": _edges,
}
