"""Put the groups of a tuned study together: its table, its page and its figure."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.errors import InputError
from radmm.base.store import checked, read_metadata, write_csv, write_parquet, write_text
from radmm.jobs.steps.step_runner import say
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.figures.files import save
from radmm.results.figures.style import use_style
from radmm.results.figures.tuned import draw, role_of
from radmm.results.frontier.guarantees import assumed, tuned_guarantees
from radmm.results.frontier.judgement import against_best, judged
from radmm.results.frontier.page import page
from radmm.results.frontier.threats import threats_of
from radmm.study.groups import ALONE


def read_groups(groups: Sequence[Path]) -> list[tuple[pd.DataFrame, Any]]:
    """Of each group of a study, the measured rows and what was chosen.

    Args:
        groups: The groups' files, in the order of the config.
    """
    return [(pd.read_parquet(checked(path)), read_metadata(path)) for path in groups]


def frontier(
    study: str,
    said: Mapping[str, Any],
    groups: Sequence[Path],
    parquet: Path,
    csv: Path,
    markdown: Path,
    pdf: Path,
    png: Path,
) -> None:
    """Write what came of a tuned study.

    Args:
        study: What it is called.
        said: What the config says of it.
        groups: The groups' files, in the order of the config.
        parquet: Where its table goes.
        csv: Where the table goes as text.
        markdown: Where its page goes.
        pdf: Where its figure goes.
        png: Where the figure goes as a picture.
    """
    read = read_groups(groups)
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
