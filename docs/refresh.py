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
import frontier_blocks  # noqa: E402
import reproduction_pages  # noqa: E402
from reproduction_pages import ClaimEntry  # noqa: E402

from radmm.base.store import read_metadata  # noqa: E402
from radmm.jobs.replication import usable_looks  # noqa: E402
from radmm.jobs.study import Study  # noqa: E402
from radmm.privacy.guarantee import rounded_up  # noqa: E402
from radmm.results.claims.page import as_markdown  # noqa: E402
from radmm.results.claims.verdict import Criteria  # noqa: E402
from radmm.results.claims.verdicts_json import as_json  # noqa: E402
from radmm.results.figures.captions import caption  # noqa: E402
from radmm.results.figures.claims import draw as draw_claims  # noqa: E402
from radmm.results.figures.curves import last_iteration  # noqa: E402
from radmm.results.figures.early_stopping import arrange  # noqa: E402
from radmm.results.figures.figure import Material  # noqa: E402
from radmm.results.figures.recycling import draw as draw_recycling  # noqa: E402
from radmm.results.figures.style import use_style  # noqa: E402
from radmm.results.frontier.answers import all_answers  # noqa: E402
from radmm.results.frontier.recommendations import recommendations  # noqa: E402
from radmm.results.frontier.replicated_page import (  # noqa: E402
    RULE,
    comparison,
    in_short,
    of_error,
    recycling,
)
from radmm.results.frontier.replication import EVERY  # noqa: E402
from radmm.study.claims_sections import ClaimsSection  # noqa: E402
from radmm.study.experiment_sets import JUDGED, ExperimentSet  # noqa: E402

RESULTS = ROOT / "results"
FIGURES = ROOT / "docs" / "reproduction"  # a page for each figure of the paper
SHIPPED_LOOKS = ROOT / "docs" / "replication"
SHARED = {"adult", "splits", "networks", "settings", "networks_of_main", "claims", "report", "ladder"}  # jobs of `make`


def refresh(document: Path, block: str, text: str) -> None:
    """Put the text between the block's two marks."""
    marks = re.compile(rf"(<!-- {block}: begin -->\n).*?(<!-- {block}: end -->)", re.DOTALL)
    before = document.read_text()
    if not marks.search(before):
        sys.exit(f"error: {document.name} has no block {block}")
    document.write_text(marks.sub(lambda match: match[1] + text + match[2], before))


def numbers(table: pd.DataFrame) -> str:
    """Return the last iteration of each setting as a Markdown table: mean, and range in brackets."""
    lines = ["| α | algorithm | total bound P(T) | training loss | test error |", "|---|---|---|---|---|"]
    order = last_iteration(table).sort_values("noise.alpha", ascending=False, kind="stable", na_position="first")
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


def commands(results: Path) -> str:
    """Return the README's commands, with the CPU time that the jobs of `make` took; `make all` has more jobs."""
    study = _shipped()
    by_set = {name: experiment.set for name, experiment in study.config.experiments.items()}
    paper = {name for name, kind in by_set.items() if kind == ExperimentSet.PAPER}
    judged = {name for name, kind in by_set.items() if kind in JUDGED}
    needed = {entry.setting.id for name in judged for entry in study.experiments[name]}
    names = paper | {name for name, batch in study.batches.items() if needed & set(batch.settings)} | SHARED
    files = [path for path in (results / "benchmarks").rglob("*.tsv") if {path.stem, path.parent.name} & names]
    minutes = sum(pd.read_csv(path, sep="\t")["cpu_time"].sum() for path in files) / 60.0
    return (
        "```sh\n"
        "make                                     # install, download, draw the figures, judge the claims\n"
        "make CONFIG=examples/own_csv/config.yaml # figures from a table of your own: an example to copy\n"
        "```\n"
        f"\nAfter the installation, `make` takes {minutes:.0f} minutes of one core.\n"
    )


def caption_of(experiment: str) -> str:
    """Return the paper's caption in our words, what the figure's kind adds to it, and the conditions of its ε."""
    table, study = RESULTS / "tables" / f"{experiment}.parquet", _shipped()
    kind = study.figure_kind(experiment)(**study.figure_options(experiment))
    more = caption(kind, Material.read(table), read_metadata(table)["caveats"])
    return " ".join([reproduction_pages.CAPTIONS[experiment], *more]) + "\n"


def stopping() -> str:
    """Return a table of the ratio of mean losses: tuned recycling to stopping early."""
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
    """Return the tables of Figure 5's comparison over splits and graphs, and of recycling against stopping by η."""
    table = of_error(pd.read_parquet(RESULTS / "tables" / "fig5_replicated.parquet"))
    along = table["kind"] == EVERY
    shown = table[~along & (table["axis"] != "no noise")]
    short = "\n".join([RULE, "", *in_short(shown)])
    parts = [short] + [f"{cell}:\n\n" + "\n".join(comparison(part)) for cell, part in shown.groupby("cell", sort=False)]
    return "\n\n".join(parts) + "\n", "\n".join(recycling(table[along])) + "\n"


def what_recycling_buys(claims: list[ClaimEntry]) -> str:
    """Draw a figure and return a paragraph on R-ADMM against ADMM with T iterations, and against ADMM that stops at
    T/2.
    """
    stored = RESULTS / "tables" / "fig5_replicated.parquet"
    differences = pd.read_parquet(stored) if stored.is_file() else None
    use_style()
    margin = 100 * _judged()[1].margins.test_error
    figure = draw_recycling(reproduction_pages.recycling_table(claims, differences), margin)
    figure.savefig(ROOT / "docs" / "figures" / "recycling.png", metadata={"Software": None})
    return reproduction_pages.recycling_words(claims, differences) + "\n![What recycling buys](figures/recycling.png)\n"


def worked_table() -> str:
    """Return the worked table of the accountants, as their command prints it."""
    command = [sys.executable, "-m", "radmm.accounting"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def copy_figures() -> None:
    """Copy every figure that a document shows to docs/figures, so that it can be read without running anything."""
    folder = ROOT / "docs" / "figures"
    (folder / "paper").mkdir(parents=True, exist_ok=True)
    shown = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    for png in sorted((RESULTS / "figures").rglob("*.png")):
        name = png.relative_to(RESULTS / "figures")
        if f"figures/{name})" in shown and name.stem != "claims":  # drawn from the shipped looks
            shutil.copyfile(png, folder / name)


def ship_replication() -> None:
    """Copy the last look of each data set's replication to docs/replication, for runs without one of their own."""
    for look in usable_looks([RESULTS / "replication"], *_judged()):
        for old in SHIPPED_LOOKS.glob(f"replication_{look['data']}_*.json"):
            old.unlink()
        name = f"replication_{look['data']}_{look['pairs']}.json"
        shutil.copyfile(RESULTS / "replication" / name, SHIPPED_LOOKS / name)


def _judged() -> tuple[str, ClaimsSection]:
    """Return the digest of the experiments that claims read, and how claims are judged."""
    study = _shipped()
    return study.digest(*study.named(*JUDGED)), study.config.claims


def _shipped() -> Study:
    return Study.of(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))


def verdicts() -> None:
    """Refresh what the documents say of the claims, from the looks in docs/replication: no run is needed."""
    ship_replication()
    looks, study = usable_looks([SHIPPED_LOOKS], *_judged()), _shipped()
    section = study.config.claims
    criteria = Criteria(section.level, section.margins.model_dump())
    reports = reproduction_pages.shipped_reports(looks, study.config.defaults["data"], criteria)
    nothing: dict[str, Any] = {"settings": [], "data": [], "code_of_traces": [], "code": "", "assumed": ""}
    claims: list[ClaimEntry] = as_json(reports, criteria, nothing)["claims"]
    text = as_markdown(reports, criteria, nothing)
    use_style()
    picture = draw_claims(reports)
    picture.savefig(ROOT / "docs" / "figures" / "claims.png", metadata={"Software": None})
    refresh(ROOT / "README.md", "outcome", reproduction_pages.outcome(claims, pd.read_csv(RESULTS / "ladder.csv")))
    page = ROOT / "docs" / "reproduction.md"
    planned = yaml.safe_load((ROOT / "config" / "replication.yaml").read_text())["replication"]["data"]
    refresh(page, "evidence", reproduction_pages.evidence(claims, list(planned)))
    refresh(page, "verdicts", reproduction_pages.verdict_table(claims))
    refresh(page, "what recycling buys", what_recycling_buys(claims))
    for experiment in reproduction_pages.CAPTIONS:
        made = reproduction_pages.figure_page(experiment, claims, text, study)
        refresh(FIGURES / f"{experiment}.md", experiment, made)


def readme() -> None:
    """Refresh the verdicts and all numbers and figures that come from results/."""
    verdicts()
    refresh(ROOT / "README.md", "commands", commands(RESULTS))
    for experiment in reproduction_pages.CAPTIONS:
        refresh(FIGURES / f"{experiment}.md", "caption", caption_of(experiment))
    for experiment in ("fig5", "fig5_n20"):
        table = pd.read_parquet(RESULTS / "tables" / f"{experiment}.parquet")
        refresh(FIGURES / "fig5.md", f"{experiment} numbers", numbers(table))
    refresh(FIGURES / "beyond.md", "early_stopping", stopping())
    for block, text in zip(("fig5_replicated", "recycling"), replication(), strict=True):
        refresh(FIGURES / "beyond.md", block, text)
    refresh(ROOT / "docs" / "accountants.md", "table", worked_table())
    copy_figures()


def frontier() -> None:
    """Refresh docs/frontier.md and the recommendations from what `make frontier` made."""
    study = "frontier_tuned"
    page = ROOT / "docs" / "frontier.md"
    stored = frontier_blocks.read_table(RESULTS / "tables" / f"{study}.parquet")
    methods = frontier_blocks.methods_of(stored)
    found = all_answers(methods)
    blocks = {"answers": frontier_blocks.answers(found), "selection": frontier_blocks.selection(found)}
    blocks |= {"short": frontier_blocks.in_short(found), "edges": frontier_blocks.at_edges(stored, found)}
    blocks |= {"targets": frontier_blocks.targets(methods), "costs": frontier_blocks.costs(methods)}
    airlines = all_answers(
        frontier_blocks.methods_of(frontier_blocks.read_table(RESULTS / "tables" / "frontier_airlines.parquet"))
    )
    blocks["airlines"] = frontier_blocks.airlines(airlines)
    for name, text in blocks.items():
        refresh(page, name, text)
    refresh(ROOT / "README.md", "price", frontier_blocks.price_in_short(found))
    pd.concat([found, airlines]).to_csv(ROOT / "docs" / "frontier.csv", index=False, float_format="%.6g")
    shutil.copy(RESULTS / "figures" / f"{study}.png", ROOT / "docs" / "figures" / "frontier_tuned.png")
    recommended = recommend(study, methods, frontier_blocks.references_of(stored))
    recommended.to_csv(ROOT / "radmm" / "results" / "frontier" / "recommended.csv", index=False)


def recommend(study: str, methods: pd.DataFrame, references: pd.DataFrame) -> pd.DataFrame:
    """Return the table that `radmm recommend` reads."""
    files = sorted((RESULTS / "tuned").glob(f"{study}-*.parquet"))
    groups = [(pd.read_parquet(path), read_metadata(path)) for path in files]
    return recommendations(groups, methods, references)


def performance() -> None:
    """Refresh the pages on performance from what `make benchmark` measured."""
    from benchmarks.report import blocks

    stored = (ROOT / "benchmarks" / f"{name}.json" for name in ("results", "grid"))
    for page, texts in blocks(*(json.loads(path.read_text()) for path in stored)).items():
        for block, text in texts.items():
            refresh(ROOT / "docs" / page, block, text)


def cluster() -> None:
    """Refresh docs/cluster.md from what the benchmarks of grids, jobs and MPI processes measured."""
    from benchmarks import estimates, grid, ranks

    results = json.loads((ROOT / "benchmarks" / "grid.json").read_text())
    refresh(ROOT / "docs" / "cluster.md", "ranks", ranks.markdown(json.loads(ranks.STORED.read_text())))
    refresh(ROOT / "docs" / "cluster.md", "numbers", grid.markdown(results))
    refresh(ROOT / "docs" / "cluster.md", "jobs", estimates.markdown(results["jobs"]))


def reliability() -> None:
    """Refresh docs/reliability.md from the soak, the long forms of tests and the mutants."""
    from benchmarks.soak import STORED, markdown
    from tests import long_forms, mutants

    page = ROOT / "docs" / "reliability.md"
    refresh(page, "soak", markdown(json.loads(STORED.read_text())))
    refresh(page, "long forms", long_forms.sentence())
    refresh(page, "mutants", mutants.sentence())


def estimator() -> None:
    """Refresh docs/estimator.md from the measured test errors of the estimator."""
    from benchmarks.estimator import STORED, markdown, markdown_of_choice

    page, measured = ROOT / "docs" / "estimator.md", json.loads(STORED.read_text())
    refresh(page, "choice", markdown_of_choice(measured["choice"]))
    refresh(page, "errors", markdown(measured["errors"]))


if __name__ == "__main__":
    documents = {
        made.__name__: made for made in (readme, verdicts, performance, cluster, frontier, reliability, estimator)
    }
    documents[sys.argv[1]]()
