"""Generated parts of the page of verdicts, of the page of each figure, and of what the README says of the claims.

All come from the looks in docs/replication.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.jobs.study import Study
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.claims.bodies_of_evidence import TITLES, Body, ClaimReport, replicated_body, reports
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.recycling import against_rivals, sentences
from radmm.results.claims.tally import tally
from radmm.results.claims.verdict import Criteria, Word, judge
from radmm.results.frontier import recycling as tuned_recycling
from radmm.results.frontier.replicated_page import EQUAL
from radmm.results.frontier.replication import TUNED
from radmm.study.experiment_sets import JUDGED

ClaimEntry = dict[str, Any]  # as claims.json has it
MOST_ROWS = 12  # of a table of cases that is shown unfolded
CAPTIONS = {  # the paper's, in our words
    "fig1a": "R-ADMM without noise for several γ, on 5 nodes (dashed) and on 20 (solid); η = 0.5.",
    "fig1b": "MR-ADMM without noise, with penalties that grow at a different rate at each node.",
    "fig1c": "MR-ADMM without noise, with one growing penalty shared by all nodes.",
    "fig2": "Test error of ADMM after 50 iterations against the regulariser ρ.",
    "fig3": "Private MR-ADMM for several γ, at α = 1 and 2; η(k) = 1.01^k.",
    "fig4": "Private MR-ADMM for several growth factors q₁ of the penalty, at α = 1 and 2.",
    "fig5": "Private algorithms, each with at most the same published bound P(T). Equal P(T) is not equal ε: each "
    "curve's ε is printed beside its test error.",
    "fig5_per_node": "Comparison of Figure 5 with α_i and η_i that differ between nodes.",
}


def outcome(claims: list[ClaimEntry], ladder: pd.DataFrame) -> str:
    """Return three lines for the README: how the claims came out, what recycling buys, and what the noise is worth."""
    worked = ladder.query("K == 25 and alpha == 1.0").set_index("accountant")["epsilon"]
    answer = next(sentences(against_rivals(claims)), "").replace("**", "")
    most, rest = answer.split(". ", 1) if ". " in answer else ("What recycling buys is open", "")
    return (
        f"- **The paper reproduces in part.** {tally(claims)}\n"
        f"- **{most}.** {rest}\n"
        "- **The noise protects better than the theorem says.** R-ADMM's fifty iterations at α = 1, on five nodes of "
        f"Adult, have a total\n  ε = {rounded_up(worked['paper'])} by the paper's bound and "
        f"{rounded_up(worked['pure'])} by our pure one, both at δ = 0. With δ = 1e-5 allowed they have "
        f"{rounded_up(worked['renyi'])} by Rényi\n  accounting and {rounded_up(worked['shift'])} by the accountant "
        f"proved here. All are for {REPLACE_ONE}, {EXACT_ARITHMETIC} and {EXACT_ARGMINS}:\n  "
        "[the ladder of accountants](docs/figures/ladder.png).\n"
    )


def verdict_table(claims: list[ClaimEntry]) -> str:
    """Return a table of all claims: verdict on each data set, effect, margin, and the page that shows it."""
    data = list(dict.fromkeys(name for claim in claims for name in claim["words"]))
    head = [" / ".join(TITLES.get(name, name) for name in data), "claim", "effect in the median case", "margin", "page"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for claim in claims:
        words = " / ".join(f"**{word}**" for word in claim["words"].values())
        says = ("*ours:* " if claim["ours"] else "") + claim["says"]
        figure, name = claim["figure"], claim["name"]
        page = f"[{figure}](reproduction/{figure}.md#{name})"
        lines.append(f"| {words} | {says} | {claim['effect']} | {claim['margin']} | {page} |")
    return "\n".join(lines) + "\n"


def evidence(claims: list[ClaimEntry], planned: Sequence[str]) -> str:
    """Return how the claims came out, how many pairs the verdicts rest on, and which planned data sets have no look."""
    told = {}
    for claim in claims:
        if claim["verdict"] != Word.NOT_TESTED:
            name, words = claim["evidence"].split(": ", 1)
            told |= {name: words, **{each: found["evidence"] for each, found in claim["data_sets"].items()}}
    looks = "; ".join(f"{TITLES.get(name, name)}: {words.split(';')[0]}" for name, words in told.items())
    waiting = [TITLES.get(name, name) for name in planned if name not in told]
    without = f" No look on {' and '.join(waiting)} is finished yet." if waiting else ""
    return f"{tally(claims)} They rest on, for {looks}. A case that was decided earlier has fewer pairs.{without}\n"


def figure_page(experiment: str, claims: list[ClaimEntry], page: str, study: Study) -> str:
    """Return a figure's page: the figure in both styles, the command to run it again, and its claims with their cases.

    Args:
        experiment: Name of the figure's experiment.
        claims: Entries of the claims.
        page: The page of verdicts, of which the claims' sections are taken.
        study: The study of the shipped config.
    """
    names = [claim["name"] for claim in claims if claim["figure"] == experiment]
    return "\n".join(
        [
            "| as we draw it | in the paper's style |",
            "|---|---|",
            f"| ![{experiment}](../figures/{experiment}.png) | ![{experiment}](../figures/paper/{experiment}.png) |",
            "",
            *_commands(experiment, _experiments(names, study)),
            "## Claims",
            "",
            *(_section(name, page) for name in names),
        ]
    )


def _commands(experiment: str, needed: list[str]) -> list[str]:
    return [
        "Redraw the figure, and judge its claims again on three data sets (`results/again/claims.md`):",
        "",
        "```sh",
        f".venv/bin/snakemake --cores 2 -- results/figures/{experiment}.pdf",
        f"printf 'name: again\\nonly: [{', '.join(needed)}]\\n' > again.yaml",
        "make replication CONFIG=again.yaml",
        "```",
        "",
    ]


def _experiments(names: list[str], study: Study) -> list[str]:
    """Return the experiments that some claims read."""
    return [name for name in study.named(*JUDGED) if _reads(names, Evidence({name: study.experiments[name]}, Path()))]


def _reads(names: list[str], evidence: Evidence) -> bool:
    """Tell whether some claims read a setting of the evidence; nothing is measured."""
    for claim in CLAIMS:
        if claim.name in names:
            list(claim.checks(evidence))
    return bool(evidence.settings)


def _section(name: str, page: str) -> str:
    """Return a claim's section of the page of verdicts, with a long table folded, as it stands on a figure's page."""
    text = page.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]
    kept = [line for line in text.strip().splitlines() if not line.startswith(("- Figure: ", "- This run: "))]
    table = [line for line in kept if line.startswith("|")]
    told = [line for line in kept if not line.startswith("|")]
    if len(table) > MOST_ROWS + 2:
        table = ["<details>", f"<summary>{len(table) - 2} cases</summary>", "", *table, "", "</details>"]
    return "\n".join([f"### {name}", "", *told, *table, ""])


def recycling_table(claims: list[ClaimEntry], differences: pd.DataFrame | None) -> pd.DataFrame:
    """Return R-ADMM's differences from its two rivals, with η = 1 and, if it was run, with η tuned: what the figure
    draws.
    """
    found = against_rivals(claims)
    cases = "equal " + found["equal"] + ", N = " + found["N"].astype(str) + ", " + found["budget"]
    parts = [found.assign(case=cases, evidence=found["data"] + ", η = 1")]
    if differences is not None:
        tuned = tuned_recycling.against_rivals(differences).query("kind == @TUNED")
        points = {name: 100 * tuned[name] for name in ("difference", "low", "high")}
        case = tuned["axis"].map(EQUAL) + ", " + tuned["cell"] + ", η tuned"
        parts.append(tuned.assign(**points, rival=tuned["right"], case=case, evidence="Adult, η tuned"))
    columns = ["rival", "case", "evidence", "difference", "low", "high"]
    return pd.concat([part[columns] for part in parts], ignore_index=True)


def recycling_words(claims: list[ClaimEntry], differences: pd.DataFrame | None) -> str:
    """Return the paragraph on what recycling buys."""
    told = list(sentences(against_rivals(claims)))
    if differences is not None:
        shown = differences[differences["kind"] == TUNED]
        told.append("With η tuned for each algorithm on other pairs (Adult, ten pairs):")
        told.append(" ".join(tuned_recycling.sentences(shown)))
    return " ".join(told) + "\n"


def shipped_reports(looks: Sequence[JsonObject], data: str, criteria: Criteria) -> list[ClaimReport]:
    """Return all claims with the evidence of the shipped looks, that of the shipped config's data set first."""
    nothing = {claim.name: judge(claim, [], criteria, ["the run at hand has no say here"]) for claim in CLAIMS}
    own = Body(data, "no run", nothing)
    return reports(own, [replicated_body(look, own.data) for look in looks])
