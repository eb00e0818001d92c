"""Compiled libraries, which are loaded only if they were built from the C sources that are there."""

import ctypes
import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path


class CompiledCodeError(Exception):
    """Compiled code can't be used; the message is the reason."""


def load_compiled(module: str, digest: str, sources: Sequence[Path]) -> ctypes.CDLL:
    """Load the library that was built under a module's name, or raise a CompiledCodeError.

    Args:
        module: Name of the extension module, like `radmm.argmin._kernel`.
        digest: Name of the library's function that returns the hash of the sources it was built from.
        sources: C sources, in the order in which they were hashed.
    """
    if os.environ.get("RADMM_ENGINE") == "numpy":
        raise CompiledCodeError("RADMM_ENGINE=numpy asks for it")
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise CompiledCodeError("the compiled kernel was not built: it needs a C compiler when radmm is installed")
    try:
        library = ctypes.CDLL(found.origin)
        stated = getattr(library, digest)
        stated.restype = ctypes.c_char_p
        built_from = stated().decode()
    except (OSError, AttributeError) as error:
        raise CompiledCodeError(f"the compiled kernel can't be loaded: {error}") from None
    if built_from != hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest():
        raise CompiledCodeError("the compiled kernel was built from other sources: install radmm again")
    return library
