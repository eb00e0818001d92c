"""Colours of a grid's figure: algorithms have theirs, and numbers go from dark to light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd
import seaborn as sns

from radmm.results.figures.curve_styles import (
    BLACK,
    MARKERS,
    NOISELESS,
    Look,
    Role,
    looks_of,
    looks_of_curves,
    palette,
    shades,
)
from radmm.results.figures.figure import Material
from radmm.results.figures.grid_rows import LABEL, in_order_of, number_of

RAMP = "viridis"  # of numbers, and of a heat map's cells


def looks_of_values(path: str | None, rows: pd.DataFrame, material: Material) -> dict[Any, Look]:
    """Return the look of each value that colours tell apart, None for settings without such a parameter.

    Args:
        path: The parameter; None if there is a single colour.
        rows: Rows with a column `color`.
        material: Parameters of the experiment, style and colours.
    """
    if path is None:
        return {None: BLACK}
    values = [*in_order_of(rows["color"]), *([None] if rows["color"].isna().any() else [])]
    looks: dict[Any, Look] = {}
    if path == LABEL:
        looks |= looks_of_curves(rows.assign(curve=rows["label"]), material)
    elif path == "algorithm.name":
        looks |= looks_of({value: Role(value) for value in values}, material.style)
    elif all(value is None or number_of(value) is not None for value in values):
        ramp = sns.color_palette(RAMP, len(values) + 1).as_hex()  # of which the last is too pale for lines
        looks |= {value: Look(color, marker) for value, color, marker in zip(values, ramp, MARKERS, strict=False)}
        looks |= {None: Look("black", "", NOISELESS)}
    else:
        looks |= palette(values, material.style)
    given = {value: material.colors[str(value)] for value in values if str(value) in material.colors}
    return {value: looks[value]._replace(color=given.get(value, looks[value].color)) for value in values}


def box_colors(looks: Mapping[Any, Look]) -> list[str]:
    """Return the colours of boxes: shades of one where lines that share it would differ in their dashes."""
    count = Counter(look.color for look in looks.values())
    families = {color: iter(shades(color, number) if number > 1 else [color]) for color, number in count.items()}
    solid_first = sorted(looks, key=lambda value: looks[value].dashes != "-")
    found = {value: next(families[looks[value].color]) for value in solid_first}
    return [found[value] for value in looks]
