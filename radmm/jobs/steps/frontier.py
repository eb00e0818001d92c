"""Put the groups of a tuned study together: its table, its page and its figure."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.errors import InputError
from radmm.base.store import checked, read_metadata, write_csv, write_parquet, write_text
from radmm.jobs.plan import read_plan
from radmm.jobs.steps.command import run, say
from radmm.jobs.tuned_plan import TUNED
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.figures.files import save
from radmm.results.figures.style import use_style
from radmm.results.figures.tuned import draw, role_of
from radmm.results.frontier.guarantees import assumed, tuned_guarantees
from radmm.results.frontier.judgement import against_best, judged
from radmm.results.frontier.page import page
from radmm.results.frontier.threats import threats_of
from radmm.study.groups import ALONE


def read_groups(plan: Path, study: str, groups: Path) -> tuple[dict[str, Any], list[tuple[pd.DataFrame, Any]]]:
    """What the study says of itself, and of each of its groups the measured rows with what was chosen.

    Args:
        plan: The folder.
        study: Its name.
        groups: The folder of the groups' files.
    """
    files = sorted((plan / TUNED).glob(f"{study}-*.json"))
    plans = [read_plan(file) for file in files]
    order = {file.stem: content["order"] for file, content in zip(files, plans, strict=True)}
    paths = [groups / f"{name}.parquet" for name in sorted(order, key=lambda name: order[name])]
    return plans[0]["study"], [(pd.read_parquet(checked(path)), read_metadata(path)) for path in paths]


def frontier(
    plan: Path, study: str, groups: Path, parquet: Path, csv: Path, markdown: Path, pdf: Path, png: Path
) -> None:
    said, read = read_groups(plan, study, groups)
    table = judged(read)
    alone = table["cell"] == ALONE
    if alone.all():
        raise InputError(
            f"tuned.{study}.epsilon = {said['epsilon']}: must have a budget that a method meets; none does"
        )
    compared = against_best(table[~alone])
    whole = pd.concat([compared, table[alone]], ignore_index=True)
    stored = whole.assign(**{name: whole[name].map(json.dumps) for name in ("point", "edge", "by_seed")})
    runs = sum(about["runs"] for _, about in read)
    threats = threats_of(about for _, about in read)
    rests_on = assumed(about for _, about in read)
    stored["guarantee"] = tuned_guarantees(stored, said["delta"], rests_on, threats)
    about_it = {"study": study, "said": said, "runs": runs, "threats": threats, "assumed": rests_on}
    write_parquet(parquet, stored, {**about_it, "not_for_release": NOT_FOR_RELEASE})
    write_csv(csv, stored)
    write_text(markdown, page(compared, table[alone], said, said["untuned"], threats, rests_on))
    use_style()
    roles = {about["method"]: role_of(list(about["candidates"].values())) for _, about in read}
    figure, provenance = draw(compared, table[alone], said, roles, threats), {"study": [study], "runs": [str(runs)]}
    save(figure, pdf, png, provenance, [f"Of every ε: {'; '.join(rests_on)}.", NOT_FOR_RELEASE])
    say(f"{len(read)} groups, {runs} settings run")


if __name__ == "__main__":
    paths = dict.fromkeys(("plan", "groups", "parquet", "csv", "markdown", "pdf", "png"), Path)
    run(frontier, __doc__, study=str, **paths)
