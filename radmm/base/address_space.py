"""Check of the address-space limit, imported first: radmm refuses to run where its libraries can't be loaded.

OpenBLAS, which NumPy and SciPy load, retries forever where the address space is too small, so that a program may
neither continue nor end.
"""

import resource

LEAST = 2**30  # bytes: the libraries alone take two thirds of it

_limit = resource.getrlimit(resource.RLIMIT_AS)[0]
if _limit != resource.RLIM_INFINITY and _limit < LEAST:
    raise SystemExit(
        f"radmm: ulimit -v = {_limit // 1024}: must be at least {LEAST // 1024}, as the libraries that radmm loads "
        "take most of that"
    )
