"""Tables of a config that are on the web, found before any of them is downloaded."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from radmm.data.source import make_source
from radmm.data.sources.table import OwnTable
from radmm.study.config import Config
from radmm.study.grids import merge


def tables_on_the_web(config: Config) -> list[OwnTable]:
    """Return each table that the chosen experiments' settings name by an address, once."""
    found = {}
    for experiment in config.chosen.values():
        for own in experiment.settings.values():
            layers: list[Mapping[str, Any]] = [config.defaults, experiment.defaults, own]
            written = reduce(merge, layers).get("data")
            for section in written if isinstance(written, list) else [written]:
                if isinstance(section, Mapping) and "://" in str(section.get("file")):
                    table = make_source({"name": OwnTable.name, **section})
                    if isinstance(table, OwnTable) and table.on_the_web:
                        found[tuple(table.files.items())] = table
    return list(found.values())
