"""Plug-ins: Python files of users that define components.

A plug-in is code that the user chose to run: it is executed as it is, with all of the user's permissions.
"""

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from radmm.base.errors import InputError
from radmm.base.plugin_faults import PREFIX, failing_line


def load_plugin(path: str | Path) -> ModuleType:
    """Execute a plug-in file, once for the same content, which registers the components that it defines.

    Args:
        path: A Python file that defines subclasses of radmm's public bases.
    """
    file = Path(path)
    if file.suffix != ".py" or not file.is_file():
        raise InputError(f"plugins: {path} is no Python file that can be read: must be the path of a .py file")
    digest = hashlib.sha256(str(file.resolve()).encode() + b"\n" + file.read_bytes()).hexdigest()[:12]
    name = f"{PREFIX}{file.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None  # noqa: S101 (it is a .py file)
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except InputError as error:
        del sys.modules[name]
        raise InputError(f"plugins: {path}: {error}") from None
    except Exception as error:
        del sys.modules[name]
        line = failing_line(error)  # None for a syntax error, whose message has it
        place = f"{path}, line {line}," if line else path
        raise InputError(f"plugins: {place} can't be executed: {type(error).__name__}: {error}") from error
    return module
