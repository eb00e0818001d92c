"""Judge what was chosen in a tuned study on its other seeds: write the study's table, page and figure."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from radmm.base.errors import InputError
from radmm.base.store import checked, read_metadata, write_csv, write_parquet, write_text
from radmm.jobs.steps.step_runner import say
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.claims.verdict import Criteria
from radmm.results.figures import replicated as replicated_figure
from radmm.results.figures import tuned as tuned_figure
from radmm.results.figures.files import save
from radmm.results.figures.style import use_style
from radmm.results.frontier import page as tuned_page
from radmm.results.frontier import replicated_page
from radmm.results.frontier.answers import priced
from radmm.results.frontier.guarantees import assumed, budget_guarantees, tuned_guarantees
from radmm.results.frontier.judgement import OTHER, against_best, judged
from radmm.results.frontier.recycling import section
from radmm.results.frontier.replication import EVERY, along_penalty, compared, replicated
from radmm.results.frontier.selection import budgets_of
from radmm.results.frontier.threats import threats_of
from radmm.results.frontier.transfer import chosen_elsewhere
from radmm.study.tuned_groups import ALONE

Groups = Sequence[tuple[pd.DataFrame, Mapping[str, Any]]]  # what was measured, and what was chosen, in each group


class Judged(NamedTuple):
    """Outcome of a tuned study: its table, page and figure.

    Args:
        table: Its table, but for the guarantees' words.
        guarantees: What each row of the table spends, in words.
        page: Its page as Markdown.
        figure: Its figure.
    """

    table: pd.DataFrame
    guarantees: list[str]
    page: str
    figure: Figure


def judgement(
    study: str,
    said: Mapping[str, Any],
    criteria: Criteria,
    groups: Sequence[Path],
    parquet: Path,
    csv: Path,
    markdown: Path,
    pdf: Path,
    png: Path,
    svg: Path,
) -> None:
    """Write what came of a tuned study.

    Args:
        said: What the config says of it.
        groups: The groups' files, in the order of the config.
        parquet: Path of its table.
        csv: Path of the table as text.
        markdown: Path of its page.
        pdf: Path of its figure.
        png: Path of the figure as a picture.
        svg: Path of the figure for the report.
    """
    read: Groups = [(pd.read_parquet(checked(path)), read_metadata(path)) for path in groups]
    abouts = [about for _, about in read]
    threats, rests_on, runs = threats_of(abouts), assumed(abouts), sum(about["runs"] for about in abouts)
    use_style()
    found = (
        _at_their_best(said, read, threats, rests_on)
        if said["epsilon"]
        else _in_pairs(said, criteria, read, threats, rests_on)
    )
    if found is None:
        raise InputError(
            f"tuned.{study}.epsilon = {said['epsilon']}: must have a budget that a method meets; none does"
        )
    stored = found.table.assign(guarantee=found.guarantees)
    about_it = {"study": study, "said": said, "runs": runs, "threats": threats, "assumed": rests_on}
    write_parquet(parquet, stored, {**about_it, "not_for_release": NOT_FOR_RELEASE})
    write_csv(csv, stored)
    write_text(markdown, found.page)
    provenance = {"study": [study], "runs": [str(runs)]}
    save(found.figure, pdf, png, provenance, [f"Of every ε: {'; '.join(rests_on)}.", NOT_FOR_RELEASE], svg)
    say(f"{len(read)} groups of {runs} settings")


def _at_their_best(
    said: Mapping[str, Any], groups: Groups, threats: Mapping[str, str], rests_on: Sequence[str]
) -> Judged | None:
    """Compare each method, as it was chosen for each budget, with the best of its cell; None if no budget has one."""
    elsewhere = list(chosen_elsewhere(groups, budgets_of(said)))
    table = pd.concat([judged(groups), *([judged(elsewhere, OTHER)] if elsewhere else [])], ignore_index=True)
    alone = table["cell"] == ALONE
    if alone.all():
        return None
    references = table[alone]
    best = priced(against_best(table[~alone]), references)
    whole = pd.concat([best, references], ignore_index=True)
    stored = whole.assign(**{name: whole[name].map(json.dumps) for name in ("point", "edge", "by_seed")})
    return Judged(
        stored,
        tuned_guarantees(stored, said["delta"], rests_on, threats),
        tuned_page.page(best, references, said, said["untuned"], threats, rests_on),
        tuned_figure.draw(best, said),
    )


def _in_pairs(
    said: Mapping[str, Any], criteria: Criteria, groups: Groups, threats: Mapping[str, str], rests_on: Sequence[str]
) -> Judged:
    """Compare methods at equal budgets in the pairs that the config lists."""
    throughout = said.get("throughout", [])
    table = replicated(groups, throughout)
    pairs = [(left, right) for left, right in said["pairs"]]
    differences, along = compared(table, pairs, criteria), along_penalty(table, pairs, throughout, criteria)
    stored = pd.concat([differences, along.assign(kind=EVERY)], ignore_index=True)
    return Judged(
        stored,
        budget_guarantees(stored, rests_on, threats),
        replicated_page.page(differences, along, said, threats, rests_on) + section(differences),
        replicated_figure.draw(differences, along),
    )
