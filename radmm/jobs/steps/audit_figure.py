"""Draw the audit's table into a PDF and a PNG."""

from pathlib import Path

from radmm.jobs.steps.command import run
from radmm.results.figures.audit import figure

if __name__ == "__main__":
    run(figure, __doc__, table=Path, pdf=Path, png=Path)
