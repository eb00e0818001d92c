"""Refuses, as the first thing that radmm imports, to run where its libraries can't be loaded.

OpenBLAS, which NumPy and SciPy load, asks for memory again and again where an address space is too small, so that a
program may neither go on nor end.
"""

import resource

LEAST = 2**30  # bytes: the libraries alone take two thirds of it

_limit = resource.getrlimit(resource.RLIMIT_AS)[0]
if _limit != resource.RLIM_INFINITY and _limit < LEAST:
    raise SystemExit(
        f"radmm: ulimit -v = {_limit // 1024}: must be at least {LEAST // 1024}, as the libraries that radmm loads "
        "take most of that"
    )
