"""Registries of components, one for each kind: choices, error messages, schema and docs are all made from them.

A component is a class with a `name`, derived from the base class of its kind. Defining the class registers it. The
components that radmm ships are the files of one folder, which is imported when the registry is first used; a plug-in is
one more file.
"""

import difflib
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from radmm.base.errors import InputError

C = TypeVar("C", bound="Component")
LONGEST = 200  # characters of what may have been meant for a name: to look for names near a long text takes long


class Registry(Mapping[str, type[C]], Generic[C]):
    """The components of one kind by name.

    Args:
        kind: Kind of component as messages call it, like `loss`.
        package: Name of the package that holds those that radmm ships.
        tag: Field of a config's section that names the component; `law` for the kind `network.law`, else `name`, if
            it is not given.
    """

    def __init__(self, kind: str, package: str, tag: str = "") -> None:
        self.kind, self._package = kind, package
        self.tag = tag or kind.partition(".")[2] or "name"
        self._classes: dict[str, type[C]] = {}
        self._read = False

    def add(self, component: type[C]) -> None:
        """Register a class; a second class of the same name is refused, unless the same file is loaded again.

        Args:
            component: A class with a `name` of its own.
        """
        known = self._classes.get(component.name)
        if known is not None and (known.__module__, known.__qualname__) != (
            component.__module__,
            component.__qualname__,
        ):
            raise InputError(
                f"name = {component.name!r}: {component.__qualname__} must have another one, as the {self.kind} "
                f"{known.__module__}.{known.__qualname__} has it already"
            )
        self._classes[component.name] = component

    def __getitem__(self, name: str) -> type[C]:
        self._read_package()
        if name not in self._classes:
            raise InputError(f"{self.kind} = {name!r}: {self.choices(name)}")
        return self._classes[name]

    def __iter__(self) -> Iterator[str]:
        self._read_package()
        return iter(sorted(self._classes))

    def __len__(self) -> int:
        self._read_package()
        return len(self._classes)

    def __contains__(self, name: object) -> bool:
        self._read_package()
        return name in self._classes

    def choices(self, wrong: object) -> str:
        """Return the suffix of an error message that lists the valid names, with a suggestion."""
        return one_of(wrong, list(self))

    def _read_package(self) -> None:
        """Import every module of the package; those that define no component do no harm."""
        if self._read:
            return
        self._read = True
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self._package}.{module.name}")


class Component:
    """Root of the components' base classes: a subclass with a `name` of its own joins its kind's registry."""

    registry: ClassVar[Registry[Any]]
    name: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" in cls.__dict__:
            cls.registry.add(cls)


def one_of(wrong: object, names: list[str]) -> str:
    """Return the suffix of an error message that lists the valid names, with a suggestion."""
    return f"must be one of {', '.join(names)}{near_name(wrong, names)}"


def near_name(wrong: object, names: list[str]) -> str:
    """Return a suggestion as the end of an error message, or nothing if no valid name is near."""
    near = difflib.get_close_matches(str(wrong)[:LONGEST], names, n=1)
    return f"; did you mean {near[0]}?" if near else ""
