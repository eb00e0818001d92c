"""Builds the compiled kernel, if there is a C compiler; without one the package works, more slowly."""

import hashlib
import sys
from pathlib import Path

from setuptools import Extension, setup

sources = sorted(Path("radmm").glob("argmin/kernel*.[ch]"))
digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()

kernel = Extension(
    "radmm.argmin._kernel",
    ["radmm/argmin/kernel.c"],
    depends=[str(source) for source in sources],
    define_macros=[("SOURCE_DIGEST", f'"{digest}"')],
    extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-ffp-contract=fast", "-Wno-psabi"],
    optional=True,
)
setup(ext_modules=[kernel])
