"""Descriptions of parameters, read from docstrings: what a class says of its arguments is said once."""

import inspect
import re


def summary(component: type) -> str:
    """The first sentence of a class's docstring, on one line.

    Args:
        component: Any class.
    """
    text = inspect.getdoc(component) or ""
    return " ".join(text.split("\n\n")[0].split())


def arguments(component: type) -> dict[str, str]:
    """What the `Args:` of a class and of its bases say of each argument.

    Args:
        component: Any class; what it says itself comes before what its bases say.
    """
    described: dict[str, str] = {}
    for cls in reversed(component.__mro__):
        described |= _section(inspect.cleandoc(cls.__dict__.get("__doc__") or ""))
    return described


def _section(text: str) -> dict[str, str]:
    found = re.search(r"^Args:\n((?:[ ]+.*\n?|\n)+)", text, re.MULTILINE)
    if not found:
        return {}
    entries = re.split(r"^ {4}(?=\w+:)", found.group(1), flags=re.MULTILINE)[1:]
    pairs = (entry.split(":", 1) for entry in entries)
    return {name.strip(): " ".join(text.split()) for name, text in pairs}
