"""Write the ladder: the worked setting's total ε by every accountant, as a table and a figure."""

from pathlib import Path

import pandas as pd

from radmm.base.store import write_csv
from radmm.jobs.steps.step_runner import say
from radmm.results.accountant_ladder import ladder
from radmm.results.figures.accountant_ladder import figure


def write_ladder(code: str, csv: Path, pdf: Path, png: Path) -> None:
    """Write the ladder of accountants as a table and a figure.

    Args:
        code: Digest of the code that makes them.
        csv: Output: the table.
        pdf: Output: the figure.
        png: Output: the figure as a picture.
    """
    table = pd.DataFrame(list(ladder()))
    write_csv(csv, table)
    figure(table, pdf, png, {"code": [code]})
    say(f"{len(table)} totals")
