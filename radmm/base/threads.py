"""Work that is shared out to threads, in parts that don't depend on how many threads there are."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

Item = TypeVar("Item")
Returned = TypeVar("Returned")


def in_threads(threads: int, work: Callable[[Item], Returned], items: Sequence[Item]) -> list[Returned]:
    """Apply a function to each item in threads, and return the results in order; an exception is raised here.

    Args:
        threads: Largest number of threads; with 1 the caller's own does everything.
        work: Function that leaves the interpreter to others while it computes, as NumPy and SciPy do.
    """
    if threads == 1 or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        # Each with the caller's context, which says how NumPy treats overflow.
        waiting = [pool.submit(copy_context().run, work, item) for item in items]
        return [each.result() for each in waiting]
