"""Put the groups of a replication together: its table, its page and its figure."""

from pathlib import Path

import pandas as pd

from radmm.base.store import write_csv, write_parquet, write_text
from radmm.jobs.steps.command import run, say
from radmm.jobs.steps.frontier import read_groups
from radmm.results.figures.files import save
from radmm.results.figures.replicated import draw
from radmm.results.figures.style import use_style
from radmm.results.frontier.replicated_page import page
from radmm.results.frontier.replication import EVERY, along_penalty, compared, replicated
from radmm.results.frontier.threats import threats_of


def replication(
    plan: Path, study: str, groups: Path, parquet: Path, csv: Path, markdown: Path, pdf: Path, png: Path
) -> None:
    said, read = read_groups(plan, study, groups)
    table = replicated(read)
    pairs = [(left, right) for left, right in said["pairs"]]
    differences, along = compared(table, pairs), along_penalty(table, pairs, said.get("throughout", []))
    stored = pd.concat([differences, along.assign(kind=EVERY)], ignore_index=True)
    runs = sum(about["runs"] for _, about in read)
    threats = threats_of(about for _, about in read)
    write_parquet(parquet, stored, {"study": study, "said": said, "runs": runs, "threats": threats})
    write_csv(csv, stored)
    write_text(markdown, page(differences, along, said, threats))
    use_style()
    save(draw(differences, along, said, threats), pdf, png, {"study": [study], "runs": [str(runs)]})
    say(f"{len(read)} groups, {runs} settings run")


if __name__ == "__main__":
    paths = dict.fromkeys(("plan", "groups", "parquet", "csv", "markdown", "pdf", "png"), Path)
    run(replication, __doc__, study=str, **paths)
