"""Describe the clone and its results as a Workflow RO-Crate: ro-crate-metadata.json, which archives can read.

The description follows RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) and its profile for workflows
(https://w3id.org/workflowhub/workflow-ro-crate/1.0). The folder with that file in it is the crate.
"""

import mimetypes
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.store import checked, read_record, write_json
from radmm.jobs.steps.step_runner import run, say

METADATA, WORKFLOW, LANGUAGE, RUN = "ro-crate-metadata.json", "Snakefile", "#snakemake", "#run"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
CONFORMS = ("https://w3id.org/ro/crate/1.1", "https://w3id.org/workflowhub/workflow-ro-crate/1.0")
PICTURE = "docs/figures/pipeline.svg"
WRITTEN = {  # what the project itself brings, and what it is
    "README.md": "What it is, and how to run it",
    "LICENSE": "The licence",
    "CITATION.cff": "How to cite the software and the paper",
    "config/config.yaml": "The experiments",
    "config/schema.json": "What a config may say",
    "requirements.lock": "The versions of all packages, with their hashes",
    "environment.yml": "The same packages for conda",
    "Containerfile": "A container that has them",
}
MADE = {  # what runs made, and what it is
    "results/report.html": "Everything to explore in a browser",
    "results/claims.md": "A verdict on each claim of the paper",
    "results/claims.json": "The same with all digits",
    "results/settings.parquet": "Every setting's id and parameters",
    "results/audit.csv": "Every privacy bound beside what the audit found",
    "results/red_team.csv": "How often each attack is right, on research files and on releases",
    "results/figures/*.pdf": "A figure",
    "results/tables/*.parquet": "Statistics over the runs of an experiment",
    "results/tables/*.csv": "The same as text",
    "results/traces/*.parquet": "Every iteration of a setting",
    "results/ledgers/*.parquet": "What a run of a setting releases",
}
TYPES = {".parquet": "application/vnd.apache.parquet", ".yaml": "application/yaml", ".lock": "text/plain"}


def crate(folder: Path) -> None:
    """Write the description into the folder of a clone.

    Args:
        folder: Folder with the Snakefile.
    """
    if not (folder / WORKFLOW).is_file():
        raise InputError(f"folder = {folder}: must be that of the project, with its {WORKFLOW}")
    content = {"@context": CONTEXT, "@graph": list(entities(folder))}
    write_json(folder / METADATA, content, vouch=False)
    say(f"{len(content['@graph'])} entities in {METADATA}")


def entities(folder: Path) -> Iterator[JsonObject]:
    """Return the crate, the workflow, the run and all files as a flat list, whose entries refer to each other by id."""
    cited: Mapping[str, Any] = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    written = [_file(folder / path, folder, what) for path, what in WRITTEN.items()]
    made = [
        _file(path, folder, f"{what}: {path.stem}" if "*" in pattern else what)
        for pattern, what in MADE.items()
        for path in sorted(folder.glob(pattern))
    ]
    authors = [{"@id": f"#author-{number}"} for number, _ in enumerate(cited["authors"])]
    parts = [{"@id": WORKFLOW}, {"@id": PICTURE}, *_references(written), *_references(made)]
    yield {
        "@id": METADATA,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": [{"@id": each} for each in CONFORMS],
    }
    yield {
        "@id": "./",
        "@type": "Dataset",
        "name": cited["title"],
        "description": " ".join(str(cited["abstract"]).split()),
        "version": str(cited["version"]),
        "datePublished": _today(),
        "license": {"@id": "LICENSE"},
        "creator": authors,
        "keywords": ", ".join(cited["keywords"]),
        "mainEntity": {"@id": WORKFLOW},
        "citation": {"@id": f"https://doi.org/{cited['preferred-citation']['doi']}"},
        "hasPart": parts,
        **({"mentions": {"@id": RUN}} if made else {}),
    }
    yield {
        **_file(folder / WORKFLOW, folder, f"{cited['title']}: the workflow"),
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "programmingLanguage": {"@id": LANGUAGE},
        "license": {"@id": "LICENSE"},
        "creator": authors,
        "image": {"@id": PICTURE},
    }
    yield {**_file(folder / PICTURE, folder, "What makes what"), "@type": ["File", "ImageObject"]}
    yield _language()
    for author, reference in zip(cited["authors"], authors, strict=True):
        yield {**reference, "@type": "Organization", "name": author["name"]}
    yield _paper(cited["preferred-citation"])
    if made:
        yield _run(made)
    yield from written
    yield from made


def _file(path: Path, folder: Path, what: str) -> JsonObject:
    """Return a file's entity, with the hash recorded when it was made; a file that was changed since is refused."""
    name = path.relative_to(folder).as_posix()
    form = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    described = {"@id": name, "@type": "File", "name": what, "encodingFormat": form, "contentSize": path.stat().st_size}
    if name.startswith("results/"):
        described["sha256"] = read_record(checked(path))["sha256"]
    return described


def _references(described: list[JsonObject]) -> list[dict[str, str]]:
    return [{"@id": each["@id"]} for each in described]


def _language() -> JsonObject:
    address = "https://snakemake.readthedocs.io"
    return {
        "@id": LANGUAGE,
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "identifier": {"@id": "https://doi.org/10.1093/bioinformatics/bts480"},
        "url": {"@id": address},
    }


def _paper(cited: Mapping[str, Any]) -> JsonObject:
    return {
        "@id": f"https://doi.org/{cited['doi']}",
        "@type": "ScholarlyArticle",
        "name": cited["title"],
        "author": ", ".join(f"{each['given-names']} {each['family-names']}" for each in cited["authors"]),
        "isPartOf": f"{cited['journal']} {cited['volume']}, {cited['year']}",
    }


def _run(made: list[JsonObject]) -> JsonObject:
    return {
        "@id": RUN,
        "@type": "CreateAction",
        "name": "The run that made the results",
        "instrument": {"@id": WORKFLOW},
        "object": [{"@id": "config/config.yaml"}, {"@id": "requirements.lock"}],
        "result": _references(made),
    }


def _today() -> str:
    """Return today's date, or that of SOURCE_DATE_EPOCH, so that the same crate has the same bytes."""
    stamp = os.environ.get("SOURCE_DATE_EPOCH")
    return (datetime.fromtimestamp(int(stamp), UTC) if stamp else datetime.now(UTC)).date().isoformat()


if __name__ == "__main__":
    run(crate, __doc__, folder=Path)
