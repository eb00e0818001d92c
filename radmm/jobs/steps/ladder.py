"""Write the ladder: the worked setting's total ε by every accountant, as a table and a figure."""

from pathlib import Path

import pandas as pd

from radmm.base.store import write_csv
from radmm.jobs.digest import code_digest, read_known
from radmm.jobs.plan import CODE
from radmm.jobs.steps.command import run, say
from radmm.results.figures.ladder import figure
from radmm.results.ladder import ladder


def write_ladder(plan: Path, csv: Path, pdf: Path, png: Path) -> None:
    read_known(plan / CODE)
    table = pd.DataFrame(list(ladder()))
    write_csv(csv, table)
    figure(table, pdf, png, {"code": [code_digest("radmm.jobs.steps.ladder")]})
    say(f"{len(table)} totals")


if __name__ == "__main__":
    run(write_ladder, __doc__, plan=Path, csv=Path, pdf=Path, png=Path)
