"""The contract of every component: a name, a docstring, and parameters that a config can hold."""

import inspect
import itertools
import re
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from radmm.base.docstrings import arguments, summary
from radmm.base.errors import InputError
from radmm.base.registry import Component
from radmm.contract.contract_error import Broken, calling, require
from radmm.study.component_sections import component_section

C = TypeVar("C", bound=Component)

CANDIDATES: dict[Any, tuple[Any, ...]] = {  # for parameters that have no default
    int: (12, 4, 2, 1, 0),
    float: (0.5, 1.0, 2.0, 0.0, 10.0),
    bool: (False, True),
}
ATTEMPTS = 2_000


def check_parameters(component: type[Component]) -> None:
    """Raise Broken unless a component's class has a name, a docstring, and fields with descriptions."""
    missing = sorted(getattr(component, "__abstractmethods__", ()))
    require(not missing, f"it must define {', '.join(missing)}, which its base class leaves open")
    name = component.name
    fits = isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name)
    require(fits, f"name = {name!r}: must be a name for files, of letters, digits, _, . and -")
    described = component.__doc__ and not component.__doc__.startswith(f"{component.__name__}(")
    require(described and summary(component), "its class needs a docstring, whose first sentence says what it is")
    _check_fields(component)
    hashable: Any = component
    with calling("the section of a config that its fields make"):
        component_section(hashable, "name")


def _check_fields(component: type[Component]) -> None:
    named: set[str] = {field.name for field in _fields_of(component)}
    kind = next(base for base in component.__mro__ if "registry" in base.__dict__)
    written = set(inspect.signature(component).parameters) - named - set(inspect.signature(kind).parameters)
    require(
        not written, f"{_listed(written)} must be a field of a dataclass: a config's section is made from the fields"
    )
    own = {name for name, hint in inspect.get_annotations(component).items() if "ClassVar" not in str(hint)}
    require(
        own <= named, f"{_listed(own - named)} is annotated but no field: put @dataclass(frozen=True) above the class"
    )
    if not named:
        return
    frozen = component.__dataclass_params__.frozen  # type: ignore[attr-defined]
    require(frozen, "it must be frozen: put @dataclass(frozen=True) above the class")
    silent = named - {name for name, text in arguments(component).items() if text}
    require(not silent, f"its docstring must say under Args: what {_listed(silent)} is")


def _fields_of(component: Any) -> "tuple[Field[Any], ...]":
    return fields(component) if is_dataclass(component) else ()


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def example_of(component: type[C]) -> C:
    """Return a component of the class: parameters without a default are those of `example`, or found by trying."""
    given = dict(getattr(component, "example", {}))
    hints: dict[str, Any] = get_type_hints(component, include_extras=True)
    open_fields = [
        field.name
        for field in _fields_of(component)
        if field.init and field.name not in given and field.default is MISSING and field.default_factory is MISSING
    ]
    reason = ""
    for values in itertools.islice(itertools.product(*(_candidates(hints[name]) for name in open_fields)), ATTEMPTS):
        try:
            with calling(f"{component.__name__}(…)"):
                return component(**given, **dict(zip(open_fields, values, strict=True)))
        except Broken as broken:
            if not isinstance(broken.__cause__, InputError):
                raise
            reason = f", the last as {broken.__cause__}"
    tried = f"no values tried for {', '.join(open_fields)} were taken" if open_fields else "its defaults are refused"
    raise Broken(f"{tried}{reason}: a class attribute `example` must name parameters, like example = {{'nodes': 4}}")


def _candidates(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        return _candidates(get_args(hint)[0])
    if hint in CANDIDATES:
        return CANDIDATES[hint]
    arms = get_args(hint)
    return (None,) if NoneType in arms else CANDIDATES[float] if float in arms else ()
