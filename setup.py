"""Builds the compiled parts, if there is a C compiler; without one the package works, more slowly."""

import hashlib
import platform
import sys
from pathlib import Path

from setuptools import Extension, setup

FLAGS = [] if sys.platform == "win32" else ["-Wno-psabi", "-g0", "-pthread"]  # -g0: a quarter less to wait for
IS_X86 = platform.machine().lower() in ("x86_64", "amd64")


def library(name: str, main: Path, sources: list[Path], *flags: str) -> Extension:
    """One that knows which sources it was built from, so that it is never used with others."""
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    return Extension(
        name,
        [str(main)],
        depends=[str(source) for source in sources],
        define_macros=[("SOURCE_DIGEST", f'"{digest}"')],
        extra_compile_args=[*FLAGS, *(flags if FLAGS else ())],
        extra_link_args=FLAGS[-1:],
        optional=True,
    )


argmin, program = Path("radmm/argmin"), Path("radmm/privacy/curves/program.c")
kernel = sorted(argmin.glob("kernel*.[ch]"))
# Where hardly a machine will run it, the baseline kernel isn't worth the wait for the last few optimisations.
baseline = "-O2" if IS_X86 else "-O3"
extensions = [
    library("radmm.argmin._kernel", argmin / "kernel.c", kernel, baseline, "-ffp-contract=fast"),
    library("radmm.privacy.curves._program", program, [program], "-O3", "-ffp-contract=off", "-fno-trapping-math"),
]
if IS_X86:
    flags = "-O3", "-ffp-contract=fast", "-mavx2", "-mfma"
    extensions.insert(0, library("radmm.argmin._kernel_avx2", argmin / "kernel_avx2.c", kernel, *flags))
setup(ext_modules=extensions, options={"build_ext": {"parallel": True}})  # all at once: the first two take as long
