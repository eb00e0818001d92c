"""Whether a file is the one that is asked for now: a trace by what it says of itself, others by what they are made of.

A record in `.hashes` tells that a file is as it was written. A file that comes back from a backup with its record is
that too, and may still be of another noise, other data or other code: whoever reads a trace asks here first.
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
    """Why a trace or a ledger is not what a setting asks for now: the end of a sentence, empty if it is.

    Args:
        path: The file.
        setting: The setting, with the noise that was found for its budget.
        hashes: The content hashes of the setting's inputs, as `InputFiles.hashes` has them; one that is left out, as
            its file is gone, is not compared.
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
    """A setting as JSON has it, without where its data set is if its content is known otherwise."""
    data = values.get("data") if isinstance(values, Mapping) else None
    return {**values, "data": setting.data.identity(data)} if isinstance(data, Mapping) else values


def _why_other(stored: Mapping[str, Any], setting: Setting, hashes: Mapping[str, str]) -> str:
    if stored.get("code") != solver_digest(setting):
        return f"was made by other code, {stored.get('code')}"
    changed = [each for each, digest in hashes.items() if stored.get("hashes", {}).get(each) != digest]
    return f"was made of another version of the {' and the '.join(changed)}" if changed else ""


def why_outdated_here(trace: Path, stored: Mapping[str, Any]) -> str:
    """Why a trace is not what its own setting would give now; empty if it is, or if nobody can tell.

    Files are only read: a command that is asked about a trace moves none.

    Args:
        trace: Any trace; what it was made of is looked at if it has a record.
        stored: Its metadata.
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
    """The first of a setting's files that is not what is asked for, and why; None if all are.

    Args:
        trace: The setting's trace; the ledger of one with noise is looked for where the workflow writes it.
        setting: As for `why_outdated`.
        hashes: As for `why_outdated`.
    """
    for path in [trace] if setting.noise is None else [trace, ledger_path(trace)]:
        if reason := why_outdated(path, setting, hashes):
            return path, reason
    return None


def require_current(settings: Iterable[Setting], traces: Path, inputs: InputFiles) -> None:
    """Refuse to go on with a trace or ledger that is not what is asked for; all such files are set aside.

    Args:
        settings: Calibrated, as their traces are.
        traces: The folder of their traces.
        inputs: The files that they are solved with.
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
    """The content hashes of a setting's inputs that are there; what is only compared is no source of what is written.

    Args:
        inputs: Where they are.
        setting: Any setting.
    """
    with provenance():
        return inputs.hashes(setting)


def changed_sources(path: Path) -> Iterator[Path]:
    """The files that another was made of and that have other bytes now; those that are gone are not looked at.

    Args:
        path: A table, a figure or another file with a record. Where it decides what is computed again, traces are
            compared by content instead, as other libraries may write the same inputs with other bytes.
    """
    for name, expected in read_record(path)["made_of"].items():
        source = (path.parent / name).resolve()
        if source.is_file() and file_hash(source) != expected:
            yield source


def require_sources(path: Path) -> None:
    """Refuse a file, and set it aside, if it was made of another version of a file than is there.

    Args:
        path: A table, a figure or another file that radmm made.
    """
    for source in changed_sources(path):
        set_aside(path)
        raise DamagedError(f"{path} was made of another version of {source}: {REMADE}")
