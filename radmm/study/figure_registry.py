"""The registry of figure kinds, which stands below the kinds themselves: a config names them before any is imported."""

from typing import Any

from radmm.base.registry import Registry

FIGURES: Registry[Any] = Registry("figure", "radmm.results.figures")
