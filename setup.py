"""Builds the compiled kernel, if there is a C compiler; without one the package works, more slowly."""

import hashlib
import sys
from pathlib import Path

from setuptools import Extension, setup

sources = [Path("radmm") / name for name in ("kernel.c", "kernel.h")]
digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()

kernel = Extension(
    "radmm._kernel",
    [str(sources[0])],
    depends=[str(sources[1])],
    define_macros=[("SOURCE_DIGEST", f'"{digest}"')],
    extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-ffp-contract=fast", "-Wno-psabi"],
    optional=True,
)
setup(ext_modules=[kernel])
