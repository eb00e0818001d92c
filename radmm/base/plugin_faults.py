"""Sentences on plug-ins whose code fails: file and line, class and method, what happened, and what would be right."""

import inspect
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

PREFIX = "radmm_plugin_"  # of the names of plug-ins' modules


def is_plugin(component: type) -> bool:
    """Return whether a class is defined in a plug-in."""
    return component.__module__.startswith(PREFIX)


def definition(component: type, method: str) -> str:
    """Return the class and method for the beginning of a sentence, and for a plug-in the file and line before them."""
    name = f"{component.__name__}.{method}"
    if not is_plugin(component):
        return name
    file = str(sys.modules[component.__module__].__file__)
    code: Any = getattr(inspect.unwrap(getattr(component, method)), "__code__", None)
    return _place(file, code.co_firstlineno if code and code.co_filename == file else None, name)


def plugin_fault(error: BaseException, called: tuple[type, str] | None = None, wanted: str = "must not fail") -> str:
    """Return a sentence on an exception that a plug-in raised; empty if no plug-in is involved.

    The line is the innermost one of the plug-in, and the name is that of the function by which radmm entered it.

    Args:
        called: Class and method that were called, if known: Python refuses a call with too many arguments before the
            plug-in is entered.
        wanted: What would be right.
    """
    if entered := _entered(error):
        file = entered[-1][0].f_code.co_filename
        place = _place(file, entered[-1][1], entered[0][0].f_code.co_qualname)
    elif called and is_plugin(called[0]):
        file, place = str(sys.modules[called[0].__module__].__file__), definition(*called)
    else:
        return ""
    message = " ".join(str(error).split())
    raised = f"{type(error).__name__} ({message})" if message else type(error).__name__
    return f"{place} raised {raised}: {wanted}; test it with radmm check {_shown(file)}"


def failing_line(error: BaseException) -> int | None:
    """Return the innermost line of a plug-in from which an exception came; None if no plug-in was executed."""
    entered = _entered(error)
    return entered[-1][1] if entered else None


def _entered(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames of plug-ins that an exception came through, outermost first, each with its line."""
    walked = traceback.walk_tb(error.__traceback__)
    return [(frame, line) for frame, line in walked if str(frame.f_globals.get("__name__")).startswith(PREFIX)]


def _place(file: str, line: int | None, name: str) -> str:
    return f"plugins: {_shown(file)}{'' if line is None else f', line {line}'}: {name}"


def _shown(file: str) -> str:
    """Return the path of a file, from the working directory if it is below."""
    path = Path(file)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
