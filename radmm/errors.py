"""The one exception that speaks to the user."""

from collections.abc import Iterator
from contextlib import contextmanager


class InputError(ValueError):
    """Input that can't be used: one sentence naming the field, its value and what would be right."""


@contextmanager
def about(field: str) -> Iterator[None]:
    """Put the field's name before an InputError that is raised without it."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{field}: {error}") from None
