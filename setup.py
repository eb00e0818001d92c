"""Builds the compiled parts, if there is a C compiler; without one the package works, more slowly."""

import hashlib
import sys
from pathlib import Path

from setuptools import Extension, setup

FLAGS = [] if sys.platform == "win32" else ["-O3", "-Wno-psabi", "-g0"]  # -g0: a quarter less to wait for


def library(name: str, main: str, sources: list[Path], *flags: str) -> Extension:
    """One that knows which sources it was built from, so that it is never used with others."""
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    return Extension(
        name,
        [main],
        depends=[str(source) for source in sources],
        define_macros=[("SOURCE_DIGEST", f'"{digest}"')],
        extra_compile_args=[*FLAGS, *(flags if FLAGS else ())],
        optional=True,
    )


kernel, program = sorted(Path("radmm/argmin").glob("kernel*.[ch]")), Path("radmm/privacy/curves/program.c")
setup(
    ext_modules=[
        library("radmm.argmin._kernel", "radmm/argmin/kernel.c", kernel, "-ffp-contract=fast"),
        library("radmm.privacy.curves._program", str(program), [program], "-ffp-contract=off", "-fno-trapping-math"),
    ]
)
