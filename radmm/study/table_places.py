"""Places of users' tables: a relative path begins in the folder of the config that has it, if the file is there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def with_folders(content: Any, config: Path) -> Any:
    """Return a config's content with `folder` beside each data set's `file` that lies beside the config.

    A file that isn't there is looked for in the working folder.

    Args:
        content: Sections as they were read.
    """
    folder = config.resolve().parent
    if folder == Path.cwd():
        return content
    within = folder.is_relative_to(Path.cwd())
    return _placed(content, folder, str(folder.relative_to(Path.cwd()) if within else folder))


def _placed(content: Any, folder: Path, name: str) -> Any:
    if not isinstance(content, Mapping):
        return content
    placed = {key: _placed(value, folder, name) for key, value in content.items()}
    data = content.get("data")
    if isinstance(data, list):
        placed["data"] = [_with_folder(each, folder, name) for each in data]
    elif isinstance(data, Mapping):
        placed["data"] = _with_folder(placed["data"], folder, name)
    return placed


def _with_folder(data: Any, folder: Path, name: str) -> Any:
    file = data.get("file") if isinstance(data, Mapping) else None
    if not isinstance(file, str) or "folder" in data or Path(file).is_absolute() or not (folder / file).is_file():
        return data
    return {**data, "folder": name}
