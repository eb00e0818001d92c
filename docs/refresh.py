"""Bring the documents' figures and numbers up to date with results/ and benchmarks/: never edited by hand."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from radmm.base.store import read_metadata  # noqa: E402
from radmm.jobs.replication import usable_looks  # noqa: E402
from radmm.jobs.study import Study  # noqa: E402
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up  # noqa: E402
from radmm.privacy.relation import REPLACE_ONE  # noqa: E402
from radmm.results.claims.verdict import Word  # noqa: E402
from radmm.results.report.overview import verdict_counts  # noqa: E402
from radmm.study.claims_sections import ClaimsSection  # noqa: E402
from radmm.study.experiment_sets import JUDGED, Set  # noqa: E402

RESULTS = ROOT / "results"
SHARED = {"adult", "splits", "networks", "settings", "networks_of_main", "claims", "report", "ladder"}  # jobs of `make`


CAPTIONS = {  # the paper's, in our words
    "fig1a": "R-ADMM without noise for several γ, on 5 nodes (dashed) and on 20 (solid); η = 0.5.",
    "fig1b": "MR-ADMM without noise, where each node's penalty grows at a rate of its own.",
    "fig1c": "MR-ADMM without noise, where all nodes share a penalty that grows.",
    "fig2": "Test error of ADMM after 50 iterations against the regulariser ρ.",
    "fig3": "Private MR-ADMM for several γ, at α = 1 and 2; η(k) = 1.01^k.",
    "fig4": "Private MR-ADMM for several growths q₁ of the penalty, at α = 1 and 2.",
    "fig5": "Private algorithms whose noise has at most the same published bound P(T). Equal P(T) is not equal ε: each "
    "curve's ε stands at its test error. [fig5_epsilon](figures/fig5_epsilon.png) compares at equal (ε, δ).",
    "fig5_per_node": "The same comparison with α_i and η_i that differ between nodes.",
}


def refresh(document: Path, block: str, text: str) -> None:
    """Put the text between the block's two marks."""
    marks = re.compile(rf"(<!-- {block}: begin -->\n).*?(<!-- {block}: end -->)", re.DOTALL)
    before = document.read_text()
    if not marks.search(before):
        sys.exit(f"error: {document.name} has no block {block}")
    document.write_text(marks.sub(lambda match: match[1] + text + match[2], before))


def numbers(table: pd.DataFrame) -> str:
    """The last iteration of each setting as a Markdown table: mean, and range in brackets."""
    last = table[table["iteration"] == table.groupby("setting")["iteration"].transform("max")]
    lines = ["| α | algorithm | total bound P(T) | training loss | test error |", "|---|---|---|---|---|"]
    order = last.sort_values("noise.alpha", ascending=False, kind="stable", na_position="first")
    for setting in order["setting"].unique():
        rows = order[order["setting"] == setting].set_index("metric")
        alpha, label = rows["noise.alpha"].iloc[0], rows["label"].iloc[0]
        bound = rounded_up(rows.loc["privacy_loss", "mean"]) if "privacy_loss" in rows.index else "–"
        loss, error = (
            f"{rows.loc[name, 'mean']:.4f} ({rows.loc[name, 'range']:.4f})" for name in ("loss", "error_rate")
        )
        runs = rows.loc["loss", "n"]
        label += "" if runs == table["n"].max() else f" ({runs} runs only)"
        lines.append(f"| {'–' if pd.isna(alpha) else f'{alpha:g}'} | {label} | {bound} | {loss} | {error} |")
    return "\n".join(lines) + "\n"


def claims_of(claims: list[dict[str, Any]], experiment: str) -> list[dict[str, Any]]:
    """The claims that an experiment's figure shows best: each claim has one."""
    return [claim for claim in claims if claim["figure"] == experiment]


def in_short(claim: dict[str, Any]) -> str:
    """A verdict in a few words: on each data set, with the number of cases behind the first."""
    counts = ", ".join(f"{number} {outcome}" for outcome, number in claim["counts"].items() if number)
    elsewhere = [f"{data}: {found['verdict']}" for data, found in claim["data_sets"].items()]
    return "; ".join([f"**{claim['verdict']}**" + (f" ({counts})" if counts else ""), *elsewhere])


def overview(claims: list[dict[str, Any]]) -> str:
    """Every claim once: verdict, effect, margin, number of data sets with this verdict, and figure."""
    head = ["verdict", "claim", "effect in the median case", "margin", "data sets", "figure"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for claim in claims:
        words = [claim["verdict"], *(found["verdict"] for found in claim["data_sets"].values())]
        says = ("*ours:* " if claim["ours"] else "") + claim["says"]
        figure = f"[{claim['figure']}](#{claim['figure']})"
        sets = f"{words.count(claim['verdict'])} of {len(words)}"
        lines.append(f"| **{claim['verdict']}** | {says} | {claim['effect']} | {claim['margin']} | {sets} | {figure} |")
    evidence = list(dict.fromkeys(claim["evidence"] for claim in claims if claim["verdict"] != Word.NOT_TESTED))
    return "\n".join([*lines, "", f"Evidence: {'; '.join(evidence)}."]) + "\n"


def outcome(claims: list[dict[str, Any]], ladder: pd.DataFrame) -> str:
    """Three lines: how the claims came out, whether it is recycling that helps, and what the noise is worth."""
    (recycling,) = (claim["counts"] for claim in claims if claim["name"] == "recycling-beats-stopping")
    worked = ladder.query("K == 25 and alpha == 1.0").set_index("accountant")["epsilon"]
    return (
        f"- **The paper reproduces in part.** {verdict_counts({'claims': claims})}\n"
        "- **Recycling is only a part of the gain.** Against plain private ADMM that stops after as many argmins, with "
        "the same noise,\n  penalties and total bound, R-ADMM and MR-ADMM are more accurate in "
        f"{recycling['holds']} of {sum(recycling.values())} cases, less in {recycling['fails']}, by less than the\n  "
        f"margin in {recycling['no difference']}, and {recycling['undecided']} are undecided.\n"
        "- **The noise is worth more than the theorem says.** R-ADMM's fifty iterations at α = 1 have a total "
        f"ε = {rounded_up(worked['paper'])} by the paper's\n  bound (δ = 0), and {rounded_up(worked['shift'])} at "
        f"δ = 1e-5 by the accountant proved here, both for {REPLACE_ONE}, {EXACT_ARITHMETIC} and\n  {EXACT_ARGMINS}: "
        "[the ladder of accountants](docs/figures/ladder.png).\n"
    )


def commands(results: Path) -> str:
    """The commands of the README, with the CPU time that the jobs of `make` took, of which `make all` has more."""
    study = Study.of(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))
    by_set = {name: experiment.set for name, experiment in study.config.experiments.items()}
    paper = {name for name, kind in by_set.items() if kind == Set.PAPER}
    judged = {name for name, kind in by_set.items() if kind in JUDGED}
    needed = {entry.setting.id for name in judged for entry in study.experiments[name]}
    names = paper | {name for name, batch in study.batches.items() if needed & set(batch.settings)} | SHARED
    files = [path for path in (results / "benchmarks").rglob("*.tsv") if {path.stem, path.parent.name} & names]
    minutes = sum(pd.read_csv(path, sep="\t")["cpu_time"].sum() for path in files) / 60.0
    return (
        "```sh\n"
        "make                                     # install, download, draw the figures, judge the claims\n"
        "make CONFIG=examples/own_csv/config.yaml # the same for a table of your own: an example to copy\n"
        "```\n"
        f"\nAfter the installation, `make` takes {minutes:.0f} minutes of one core.\n"
    )


def caption_of(experiment: str) -> list[str]:
    """What the figure's kind has to say of it, and the conditions of its ε."""
    from radmm.results.figures.captions import caption
    from radmm.results.figures.figure import Material

    table = RESULTS / "tables" / f"{experiment}.parquet"
    study = Study.of(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))
    kind = study.figure_kind(experiment)(**study.figure_options(experiment))
    return caption(kind, Material.read(table), read_metadata(table)["caveats"])


def details(claims: list[dict[str, Any]], experiment: str) -> str:
    """The figure, and its claims with verdict, effect and margin."""
    lines = [
        " ".join([CAPTIONS[experiment], *caption_of(experiment)]),
        "",
        "| as we draw it | in the paper's style |",
        "|---|---|",
        f"| ![{experiment}](figures/{experiment}.png) | ![{experiment}](figures/paper/{experiment}.png) |",
        "",
        "| claim | verdict | measured | effect in the median case | margin |",
        "|---|---|---|---|---|",
    ]
    for claim in claims_of(claims, experiment):
        verdict = in_short(claim) + (f", only if {claim['condition']}" if claim["condition"] else "")
        says = ("*ours:* " if claim["ours"] else "") + claim["says"]
        lines.append(f"| {says} | {verdict} | {claim['measured']} | {claim['effect']} | {claim['margin']} |")
    return "\n".join(lines) + "\n"


def stopping() -> str:
    """How the tuned recycled algorithm's loss compares with that of the algorithm that stops: ratio of the means."""
    from radmm.results.figures.early_stopping import arrange
    from radmm.results.figures.figure import Material

    ends = arrange(Material.read(RESULTS / "tables" / "early_stopping.parquet"))
    losses = ends[ends["metric"] == "loss"].pivot_table(
        index=["penalty", "T", "alpha"], columns="recycles", values="mean", sort=False
    )
    ratios = losses[True] / losses[False]
    alphas = sorted(ratios.index.unique("alpha"))
    header = [
        "| penalty | T | " + " | ".join(f"α = {alpha:g}" for alpha in alphas) + " |",
        "|---" * (2 + len(alphas)) + "|",
    ]
    rows = [
        f"| {penalty} | {length:g} | " + " | ".join(f"{ratios[penalty, length, alpha]:.3f}" for alpha in alphas) + " |"
        for penalty in ratios.index.unique("penalty")
        for length in sorted(ratios.index.unique("T"))
    ]
    return "\n".join([*header, *rows]) + "\n"


def replication() -> tuple[str, str]:
    """Figure 5's comparison over splits and graphs, and recycling against stopping at every η."""
    from radmm.results.frontier.replicated_page import RULE, comparison, in_short, of_error, recycling
    from radmm.results.frontier.replication import EVERY

    table = of_error(pd.read_parquet(RESULTS / "tables" / "fig5_replicated.parquet"))
    along = table["kind"] == EVERY
    shown = table[~along & (table["axis"] != "no noise")]
    short = "\n".join([RULE, "", *in_short(shown)])
    parts = [short] + [f"{cell}:\n\n" + "\n".join(comparison(part)) for cell, part in shown.groupby("cell", sort=False)]
    return "\n\n".join(parts) + "\n", "\n".join(recycling(table[along])) + "\n"


def what_recycling_buys() -> str:
    """One paragraph and one figure on R-ADMM against ADMM with T iterations, and against ADMM that stops at T/2."""
    from radmm.results.figures.recycling import draw
    from radmm.results.figures.style import use_style
    from radmm.results.frontier.recycling import sentences

    table = pd.read_parquet(RESULTS / "tables" / "fig5_replicated.parquet")
    use_style()
    _, claims = _judged()
    draw(table, claims.margins.test_error).savefig(
        ROOT / "docs" / "figures" / "recycling.png", metadata={"Software": None}
    )
    return " ".join(sentences(table)) + "\n\n![What recycling buys](figures/recycling.png)\n"


def budgets() -> str:
    """The worked table of the accountants, as their command prints it."""
    command = [sys.executable, "-m", "radmm.accounting"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def copy_figures() -> None:
    """Every figure that a document shows beside it, so that it can be read without running anything."""
    folder = ROOT / "docs" / "figures"
    (folder / "paper").mkdir(parents=True, exist_ok=True)
    shown = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    for png in sorted((RESULTS / "figures").rglob("*.png")):
        name = png.relative_to(RESULTS / "figures")
        if f"(figures/{name})" in shown:
            shutil.copyfile(png, folder / name)


def front(claims: list[dict[str, Any]]) -> None:
    """The README's own blocks."""
    page = ROOT / "README.md"
    refresh(page, "outcome", outcome(claims, pd.read_csv(RESULTS / "ladder.csv")))
    refresh(page, "commands", commands(RESULTS))


def ship_replication() -> None:
    """The last look of each data set's replication: verdicts of runs without one of their own rest on it."""
    folder = ROOT / "docs" / "replication"
    for look in usable_looks([RESULTS / "replication"], *_judged()):
        for old in folder.glob(f"replication_{look['data']}_*.json"):
            old.unlink()
        name = f"replication_{look['data']}_{look['pairs']}.json"
        shutil.copyfile(RESULTS / "replication" / name, folder / name)


def _judged() -> tuple[str, ClaimsSection]:
    """The digest of the experiments that claims look at, and how these are judged."""
    study = Study.of(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))
    return study.digest(*study.named(*JUDGED)), study.config.claims


def readme() -> None:
    ship_replication()
    claims = json.loads((RESULTS / "claims.json").read_text())["claims"]
    front(claims)
    reproduction = ROOT / "docs" / "reproduction.md"
    refresh(reproduction, "verdicts", overview(claims))
    for experiment in CAPTIONS:
        refresh(reproduction, experiment, details(claims, experiment))
    for experiment in ("fig5", "fig5_n20"):
        refresh(
            reproduction,
            f"{experiment} numbers",
            numbers(pd.read_parquet(RESULTS / "tables" / f"{experiment}.parquet")),
        )
    refresh(reproduction, "early_stopping", stopping())
    for block, text in zip(("fig5_replicated", "recycling"), replication(), strict=True):
        refresh(reproduction, block, text)
    refresh(reproduction, "what recycling buys", what_recycling_buys())
    refresh(ROOT / "docs" / "accountants.md", "table", budgets())
    copy_figures()


def frontier() -> None:
    """What to use at which budget, from the study that `make frontier` runs, or else from its reduced form."""
    made = [each for each in ("frontier_tuned", "frontier_small") if (RESULTS / "tables" / f"{each}.parquet").is_file()]
    study = made[0]
    page = ROOT / "docs" / "frontier.md"
    stored = RESULTS / "tables" / f"{study}.parquet"
    title = read_metadata(stored)["said"]["page"] or study
    _, *relations = (RESULTS / f"{title}.md").read_text().split("\n## ")
    answers = "".join(f"\n### {relation.replace(chr(10) + '### ', chr(10) + '#### ')}" for relation in relations)
    refresh(page, "answers", answers)
    shutil.copy(RESULTS / "figures" / f"{study}.png", ROOT / "docs" / "figures" / "frontier_tuned.png")
    recommend(study, pd.read_parquet(stored)).to_csv(
        ROOT / "radmm" / "results" / "frontier" / "recommended.csv", index=False
    )


def recommend(study: str, table: pd.DataFrame) -> pd.DataFrame:
    """The table of `radmm recommend`."""
    from radmm.results.frontier.recommendations import recommendations
    from radmm.study.groups import ALONE

    files = sorted((RESULTS / "tuned").glob(f"{study}-*.parquet"))
    groups = [(pd.read_parquet(path), read_metadata(path)) for path in files]
    methods = table[table["cell"] != ALONE]
    return recommendations(groups, methods.assign(by_seed=methods["by_seed"].map(json.loads)))


def performance() -> None:
    from benchmarks.report import blocks

    stored = (ROOT / "benchmarks" / f"{name}.json" for name in ("results", "grid"))
    for page, texts in blocks(*(json.loads(path.read_text()) for path in stored)).items():
        for block, text in texts.items():
            refresh(ROOT / "docs" / page, block, text)


def cluster() -> None:
    from benchmarks import estimates, grid, ranks

    results = json.loads((ROOT / "benchmarks" / "grid.json").read_text())
    refresh(ROOT / "docs" / "cluster.md", "ranks", ranks.markdown(json.loads(ranks.STORED.read_text())))
    refresh(ROOT / "docs" / "cluster.md", "numbers", grid.markdown(results))
    refresh(ROOT / "docs" / "cluster.md", "jobs", estimates.markdown(results["jobs"]))


def reliability() -> None:
    from benchmarks.soak import STORED, markdown
    from tests import long_forms, mutants

    page = ROOT / "docs" / "reliability.md"
    refresh(page, "soak", markdown(json.loads(STORED.read_text())))
    refresh(page, "long forms", long_forms.sentence())
    refresh(page, "mutants", mutants.sentence())


def estimator() -> None:
    from benchmarks.estimator import STORED, markdown, markdown_of_choice

    page, measured = ROOT / "docs" / "estimator.md", json.loads(STORED.read_text())
    refresh(page, "choice", markdown_of_choice(measured["choice"]))
    refresh(page, "errors", markdown(measured["errors"]))


if __name__ == "__main__":
    documents = {made.__name__: made for made in (readme, performance, cluster, frontier, reliability, estimator)}
    documents[sys.argv[1]]()
