"""The error that a broken contract raises, and checks that raise it."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Broken(Exception):  # noqa: N818 (it is about the component, not about radmm)
    """A component doesn't keep its contract: one sentence that says what fails."""


def require(holds: object, sentence: str) -> None:
    """Raise Broken with the sentence unless `holds` is true."""
    if not holds:
        raise Broken(sentence)


@contextmanager
def calling(what: str) -> Iterator[None]:
    """Raise Broken in place of an exception within the block, naming what was called and where it failed."""
    try:
        yield
    except Broken:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        message = " ".join(str(error).split())
        raise Broken(f"{what} raised {type(error).__name__} at {where}: {message}") from error
