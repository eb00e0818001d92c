"""Descriptions of components and their parameters, read from docstrings so that they are written only once."""

import inspect
import re


def summary(component: type) -> str:
    """Return the first paragraph of a class's docstring, on one line."""
    text = inspect.getdoc(component) or ""
    return " ".join(text.split("\n\n")[0].split())


def arguments(component: type) -> dict[str, str]:
    """Return the descriptions of arguments in the `Args:` sections of a class and its bases.

    Args:
        component: Any class; its own descriptions override those of its bases.
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
