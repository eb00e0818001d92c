"""Checks that files are up to date: traces by their own metadata, other files by the hashes of their sources.

A record in `.hashes` shows that a file is as it was written. A file restored from a backup together with its record
passes that check, too, and may still be of other noise, data or code; so whoever reads a trace checks it here first.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.store import (
    DamagedError,
    fault,
    file_hash,
    provenance,
    read_metadata,
    read_record,
    record_path,
    set_aside,
)
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import ledger_path, solver_digest
from radmm.study.settings import Setting

REMADE = "it can't be used, and the next run makes it again"


def why_outdated(path: Path, setting: Setting, hashes: Mapping[str, str]) -> str:
    """Return why a trace or ledger is not the one of a setting, as the end of a sentence; empty if it is.

    Args:
        setting: Setting with its calibrated noise.
        hashes: Content hashes of the setting's inputs, as `InputFiles.hashes` returns them; missing files are not
            compared.
    """
    if reason := fault(path):
        return reason
    stored = read_metadata(path)
    if (stored.get("id"), _without_place(stored.get("setting"), setting)) != (
        setting.id,
        _without_place(setting.to_json(), setting),
    ):
        return f"is of another setting or other noise than {setting.id} asks for"
    return _why_other(stored, setting, hashes)


def _without_place(values: Any, setting: Setting) -> Any:
    """Return a setting as JSON, without the path of its data file where the file's content is identified otherwise."""
    data = values.get("data") if isinstance(values, Mapping) else None
    return {**values, "data": setting.data.identity(data)} if isinstance(data, Mapping) else values


def _why_other(stored: Mapping[str, Any], setting: Setting, hashes: Mapping[str, str]) -> str:
    if stored.get("code") != solver_digest(setting):
        return f"was made by other code, {stored.get('code')}"
    changed = [each for each, digest in hashes.items() if stored.get("hashes", {}).get(each) != digest]
    return f"was made of another version of the {' and the '.join(changed)}" if changed else ""


def why_outdated_here(trace: Path, stored: Mapping[str, Any]) -> str:
    """Return why a trace is not what its own setting would give now; empty if it is, or if that can't be known.

    Files are only read: a command that shows a trace moves none.

    Args:
        trace: Path of a trace; its sources are compared if it has a record.
    """
    try:
        reason = _why_other(stored, Setting.from_json(stored["setting"]), {})
    except (InputError, KeyError, TypeError):  # a component that is a plug-in's, or of another version
        reason = ""
    if reason or not record_path(trace).is_file():
        return reason
    changed = [str(source) for source in changed_sources(trace)]
    return f"was made of another version of {', '.join(changed)}" if changed else ""


def outdated_file(trace: Path, setting: Setting, hashes: Mapping[str, str]) -> tuple[Path, str] | None:
    """Return the first of a setting's files that is outdated, and why; None if none is.

    Args:
        trace: Setting's trace; a ledger is expected where the workflow writes it.
        setting: Setting with its calibrated noise.
        hashes: Content hashes of the setting's inputs, as for `why_outdated`.
    """
    for path in [trace] if setting.noise is None else [trace, ledger_path(trace)]:
        if reason := why_outdated(path, setting, hashes):
            return path, reason
    return None


def require_current(settings: Iterable[Setting], traces: Path, inputs: InputFiles) -> None:
    """Refuse to use outdated traces and ledgers, and set all of them aside.

    Args:
        settings: Settings with their calibrated noise.
        traces: Folder of their traces.
        inputs: Files with which they are solved.
    """
    refused: list[str] = []
    for setting in {each.id: each for each in settings}.values():
        trace = traces / f"{setting.id}.parquet"
        if found := outdated_file(trace, setting, current_hashes(inputs, setting)):
            path, reason = found
            refused.append(f"{path} {reason}")
            for each in {path, trace}:  # a trace that is gone is what makes its batch run again
                set_aside(each)
    if refused:
        others = f" (and {len(refused) - 1} more like it)" if len(refused) > 1 else ""
        raise DamagedError(f"{refused[0]}{others}: {REMADE}")


def current_hashes(inputs: InputFiles, setting: Setting) -> dict[str, str]:
    """Return the content hashes of a setting's existing inputs, without recording these as sources of later files."""
    with provenance():
        return inputs.hashes(setting)


def changed_sources(path: Path) -> Iterator[Path]:
    """Return the sources of a file that have changed since it was made; missing ones are left out.

    Args:
        path: Table, figure or other file with a record. To decide what is solved again, traces are compared by
            content instead, as other libraries may write the same inputs with other bytes.
    """
    for name, expected in read_record(path)["made_of"].items():
        source = (path.parent / name).resolve()
        if source.is_file() and file_hash(source) != expected:
            yield source


def require_sources(path: Path) -> None:
    """Refuse a file, and set it aside, if one of its sources has changed since it was made."""
    for source in changed_sources(path):
        set_aside(path)
        raise DamagedError(f"{path} was made of another version of {source}: {REMADE}")
