"""Put the groups of a replication together: its table, its page and its figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.store import write_csv, write_parquet, write_text
from radmm.jobs.steps.frontier import read_groups
from radmm.jobs.steps.step_runner import say
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.figures.files import save
from radmm.results.figures.replicated import draw
from radmm.results.figures.style import use_style
from radmm.results.frontier.guarantees import assumed, budget_guarantees
from radmm.results.frontier.replicated_page import page
from radmm.results.frontier.replication import EVERY, along_penalty, compared, replicated
from radmm.results.frontier.threats import threats_of


def replication(
    study: str,
    said: Mapping[str, Any],
    groups: Sequence[Path],
    parquet: Path,
    csv: Path,
    markdown: Path,
    pdf: Path,
    png: Path,
) -> None:
    """Write what came of a replication; the arguments are those of `frontier`."""
    read = read_groups(groups)
    table = replicated(read)
    pairs = [(left, right) for left, right in said["pairs"]]
    differences, along = compared(table, pairs), along_penalty(table, pairs, said.get("throughout", []))
    stored = pd.concat([differences, along.assign(kind=EVERY)], ignore_index=True)
    runs = sum(about["runs"] for _, about in read)
    threats = threats_of(about for _, about in read)
    rests_on = assumed(about for _, about in read)
    stored["guarantee"] = budget_guarantees(stored, rests_on, threats)
    about_it = {"study": study, "said": said, "runs": runs, "threats": threats, "assumed": rests_on}
    write_parquet(parquet, stored, {**about_it, "not_for_release": NOT_FOR_RELEASE})
    write_csv(csv, stored)
    write_text(markdown, page(differences, along, said, threats, rests_on))
    use_style()
    figure, provenance = draw(differences, along, said, threats), {"study": [study], "runs": [str(runs)]}
    save(figure, pdf, png, provenance, [f"Of every ε: {'; '.join(rests_on)}.", NOT_FOR_RELEASE])
    say(f"{len(read)} groups, {runs} settings run")
