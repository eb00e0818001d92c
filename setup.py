"""Builds the compiled kernel, if there is a C compiler; without one the package works, more slowly."""

import hashlib
import sys
from pathlib import Path

from setuptools import Extension, setup

sources = sorted(Path("radmm").glob("kernel*.[ch]"))
digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()

kernel = Extension(
    "radmm._kernel",
    ["radmm/kernel.c"],
    depends=[str(source) for source in sources],
    define_macros=[("SOURCE_DIGEST", f'"{digest}"')],
    extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-ffp-contract=fast", "-Wno-psabi"],
    optional=True,
)
setup(ext_modules=[kernel])
