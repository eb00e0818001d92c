"""Exceptions whose messages are meant for users."""

from collections.abc import Iterator
from contextlib import contextmanager

from radmm.base.plugin_faults import plugin_fault


class InputError(ValueError):
    """Input that can't be used: one sentence naming the field, its value and what would be right."""


class NotFetchedError(InputError):
    """A file on the web must be downloaded before the config can be read."""


class SourceError(Exception):
    """A data source could not deliver its data; the message is the reason."""


@contextmanager
def about(field: str) -> Iterator[None]:
    """Put the field's name before each sentence of an InputError that is raised without it in this block."""
    try:
        yield
    except InputError as error:
        raise InputError("\n".join(f"{field}: {sentence}" for sentence in str(error).splitlines())) from None


class Complaints:
    """Collects errors, one sentence each; an error that occurs at several places is listed once."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}

    def add(self, sentence: str, place: str | None = None) -> None:
        """Add an error to those that are collected.

        Args:
            place: Where it was written; None if the message says so itself.
        """
        known = self._places.setdefault(sentence, [])
        if place and place not in known:
            known.append(place)

    @contextmanager
    def collect(self, place: str | None = None) -> Iterator[None]:
        """Add the sentences of an InputError that is raised in this block, and go on after it.

        Any other exception that a plug-in raises is added as one sentence, too.

        Args:
            place: Where it was written; None if the messages say so themselves.
        """
        try:
            yield
        except InputError as error:
            for sentence in str(error).splitlines():
                self.add(sentence, place)
        except (SourceError, MemoryError):
            raise
        except Exception as error:
            if not (fault := plugin_fault(error)):
                raise
            self.add(fault, place)

    def raise_if_any(self) -> None:
        """Raise an InputError with one line for each error, if there is any."""
        if self._places:
            raise InputError(str(self))

    def __bool__(self) -> bool:
        return bool(self._places)

    def __str__(self) -> str:
        lines = []
        for sentence, places in self._places.items():
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            lines.append(f"{places[0]}{more}: {sentence}" if places else sentence)
        return "\n".join(lines)
