"""Digest of the code that a step really runs.

Snakemake does not see edits inside an imported package. Each rule therefore carries, as a parameter, the digest of its
step's module, of every radmm module that one imports, directly or not, and of the components that it uses: an edit to
the solver reruns traces, an edit to a plot reruns that plot, and another algorithm reruns nobody else's traces.
Comments and docstrings are no part of it.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from radmm.base.plugin_faults import PREFIX

PACKAGE = Path(__file__).parent.parent
# A string or a character, which may hold what looks like a comment; or a comment.
_C_TOKENS = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')|//[^\n]*|/\*.*?\*/', re.DOTALL)


class Content(NamedTuple):
    """Parts of a source file on which a digest depends.

    Args:
        imports: Modules of radmm that it imports.
        code: Hash of its code without comments, docstrings and layout.
    """

    imports: list[str]
    code: str


@lru_cache(maxsize=4096)
def code_digest(module: str, *components: type) -> str:
    """Return the SHA-256, cut to 16 digits, of the code of a module, of all radmm modules it needs, and of components.

    It is computed once in a process: an edit meanwhile doesn't change what the process runs.

    Args:
        module: Full name of a step's module.
        components: Classes that the step finds in registries, with whatever their own modules need.
    """
    names = needed_modules(module, *modules_of(components))
    return _digest(tuple((source, *_version(source)) for name in sorted(names) for source in _sources(name)))


def modules_of(components: Iterable[type]) -> set[str]:
    """Return the modules of radmm and of plug-ins in which classes and their bases are defined."""
    names = {base.__module__ for component in components for base in component.__mro__}
    return {name for name in names if name.startswith(("radmm.", PREFIX))}


def needed_modules(*modules: str) -> set[str]:
    """Return the modules and all that they import from radmm, directly or not, but for package __init__ files."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            source = _source(name)
            waiting += _content(source, *_version(source)).imports
    return found


@lru_cache(maxsize=4096)
def _digest(versions: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for source, changed, size in versions:
        digest.update(f"{source.name}\n{_content(source, changed, size).code}\n".encode())
    return digest.hexdigest()[:16]


def _version(source: Path) -> tuple[int, int]:
    """Return modification time and size, by which an edit of a file is noticed."""
    stat = source.stat()
    return stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=4096)
def _content(source: Path, _changed: int, _size: int) -> Content:
    text = source.read_text(encoding="utf-8")
    imports, code = _python(text) if source.suffix == ".py" else ([], _c(text))
    return Content(imports, hashlib.sha256(code.encode()).hexdigest())


def _python(text: str) -> tuple[list[str], str]:
    """Return the modules that a source imports from radmm, and its code without comments, docstrings and layout."""
    tree, found = ast.parse(text), []
    for statement in list(_statements(tree.body)):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            found += [statement.module, *(f"{statement.module}.{alias.name}" for alias in statement.names)]
        elif isinstance(statement, ast.Import):
            found += [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _drop_docstring(statement)
    _drop_docstring(tree)
    return [name for name in found if name.startswith("radmm.") and _source(name).is_file()], ast.dump(tree)


def _c(text: str) -> str:
    """Return C code without comments and layout."""
    return " ".join(_C_TOKENS.sub(lambda match: match[1] or " ", text).split())


def _statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the statements of a block and of all blocks in it, but those that only a type checker sees."""
    for statement in block:
        yield statement
        for name in ("orelse",) if _is_hidden(statement) else ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(statement, name, ()))


def _is_hidden(statement: ast.AST) -> bool:
    """Return whether the body of a statement is for type checkers alone."""
    return (
        isinstance(statement, ast.If) and isinstance(statement.test, ast.Name) and statement.test.id == "TYPE_CHECKING"
    )


def _drop_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:]


def _sources(module: str) -> list[Path]:
    """Return the module's file, and C sources beside it whose names begin like its own."""
    python = _source(module)
    return [python, *sorted(python.parent.glob(f"{python.stem}*.[ch]"))] if module.startswith("radmm.") else [python]


def _source(module: str) -> Path:
    if module.startswith(PREFIX):
        return Path(str(sys.modules[module].__file__))
    return PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
