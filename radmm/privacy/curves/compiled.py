"""The compiled dynamic program, built when radmm is installed; None where there was no compiler."""

import ctypes
import hashlib
import importlib.util
import os
from functools import lru_cache
from pathlib import Path

SOURCE = Path(__file__).with_name("program.c")


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL | None:
    """The program, or None if it wasn't built, was built from another source, or RADMM_ENGINE=numpy asks for none."""
    found = importlib.util.find_spec("radmm.privacy.curves._program")
    if os.environ.get("RADMM_ENGINE") == "numpy" or found is None or found.origin is None:
        return None
    try:
        program = ctypes.CDLL(found.origin)
        program.radmm_program_digest.restype = ctypes.c_char_p
        built_from = program.radmm_program_digest().decode()
    except (OSError, AttributeError):
        return None
    return program if built_from == hashlib.sha256(SOURCE.read_bytes()).hexdigest() else None
