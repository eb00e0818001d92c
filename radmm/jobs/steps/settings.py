"""Write the table that maps a setting's id to its parameters."""

import json
from pathlib import Path
from typing import Any

from radmm.base.store import write_parquet
from radmm.jobs.steps.command import run, say
from radmm.results.tables import settings_table
from radmm.study.resolution import resolve


def settings(config: dict[str, Any], output: Path) -> None:
    table = settings_table(resolve(config))
    write_parquet(output, dict(table.items()), {"config": config})
    say(f"{table['id'].nunique()} settings in {table['experiment'].nunique()} experiments")


if __name__ == "__main__":
    run(settings, __doc__, config=json.loads, output=Path)
