"""A digest of the code that a step really runs.

Snakemake does not see edits inside an imported package. Each rule therefore carries, as a parameter, the digest of its
step's module and of every radmm module that one imports, directly or not: an edit to the solver reruns traces, an edit
to a plot reruns that plot.
"""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def code_digest(module: str) -> str:
    """SHA-256, cut to 16 digits, over the sources of a module and of all radmm modules it needs."""
    digest = hashlib.sha256()
    for name in sorted(needed_modules(module)):
        for source in _sources(name):
            digest.update(f"{name}\n".encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def needed_modules(module: str) -> set[str]:
    """The module itself and, step by step, what it imports from radmm; package __init__ files only re-export."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += list(_imports(name))
    return found


def _imports(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(_source(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            candidates = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            candidates = [alias.name for alias in node.names]
        else:
            continue
        yield from (name for name in candidates if name.startswith("radmm.") and _source(name).is_file())


def _sources(module: str) -> list[Path]:
    """The module's file, and C sources beside it whose names begin like its own."""
    python = _source(module)
    return [python, *sorted(python.parent.glob(f"{python.stem}*.[ch]"))]


def _source(module: str) -> Path:
    return PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
