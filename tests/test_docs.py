"""What the documents show is run, and what they name is there."""

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from radmm.contract.verdicts import KINDS
from tests.conftest import ROOT

DOCS = ROOT / "docs"
ARCHITECTURE = (DOCS / "architecture.md").read_text()
TUTORIAL = (DOCS / "tutorial.md").read_text()
PAGES = [
    *sorted([*DOCS.rglob("*.md"), *(ROOT / "config").glob("*.md")]),
    *ROOT.glob("*.md"),
    ROOT / "examples/README.md",
]
LONG = {"proofs.md", "formats.md", "reference.md", "CHANGELOG.md"}  # proofs and reference
MOST_WORDS = 1500
NUMBER = r"\d+\.\d+"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What someone has who has typed the tutorial's files."""
    folder = tmp_path_factory.mktemp("tutorial")
    for block in blocks("python") + blocks("yaml"):
        named = re.match(r"# (\S+\.(?:py|yaml))\n", block)
        if named:
            (folder / named[1]).write_text(block)
    far = (folder / "relaxed.py").read_text().replace("Lt(2)] = 1.0", "Lt(2)] = 1.9")
    (folder / "relaxed_too_far.py").write_text(far)
    return folder


def run(folder, *command, code=0):
    outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert outcome.returncode == code, outcome.stdout + outcome.stderr
    return outcome.stdout


@pytest.mark.parametrize(("place", "code"), [(0, 0), (1, 1)])
def test_the_check_says_what_the_tutorial_says(folder, place, code):
    command, shown = blocks("console")[place].removeprefix("$ radmm ").split("\n", 1)
    told = run(folder, sys.executable, "-m", "radmm", *command.split(), code=code)
    assert told == shown


def test_the_python_example_prints_what_the_tutorial_shows(folder):
    (use,) = (block for block in blocks("python") if not block.startswith("# "))
    (shown,) = blocks("text")
    told = run(folder, sys.executable, "-c", use)
    assert re.sub(NUMBER, "", told) == re.sub(NUMBER, "", shown)
    found, expected = ([float(number) for number in re.findall(NUMBER, text)] for text in (told, shown))
    assert found == pytest.approx(expected, abs=0.006)


@pytest.fixture(scope="module")
def study(folder):
    """The tutorial's own command, with the clone's Snakefile."""
    command = blocks("console")[2].removeprefix("$ snakemake ").split()
    snakemake = str(Path(sys.executable).parent / "snakemake")
    run(folder, snakemake, "--snakefile", str(ROOT / "Snakefile"), *command)
    return folder


@pytest.mark.xdist_group("tutorial")
def test_the_study_is_drawn_and_says_what_the_tutorial_says(study):
    assert (study / "results" / "figures" / "relaxation.pdf").stat().st_size > 1000
    table = pd.read_csv(study / "results" / "tables" / "relaxation.csv")
    ends = table[table["iteration"] == 20].fillna({"algorithm.relaxation": 1.0})
    assert ends["setting"].nunique() == 8
    spent = ends[ends["metric"] == "epsilon_renyi_delta_1e-05"]
    assert spent.groupby("noise.alpha")["mean"].nunique().eq(1).all()  # ω costs nothing
    for metric in ("loss", "error_rate"):
        by_relaxation = ends[ends["metric"] == metric].pivot(
            index="noise.alpha", columns="algorithm.relaxation", values="mean"
        )
        assert (by_relaxation.idxmin(axis=1) == 0.5).all()
        assert (by_relaxation.idxmax(axis=1) == 1.3).all()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in LONG], ids=lambda page: page.name)
def test_pages_are_short(page):
    """Code and tables that are made from results don't count."""
    text = re.sub(r"<!-- ([^:]+): begin -->.*?<!-- (\1|code): end -->", "", page.read_text(), flags=re.DOTALL)
    assert len(re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE).split()) <= MOST_WORDS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_formulas_are_read_alike_by_github_and_by_the_site(page):
    """GitHub takes a backslash before punctuation for Markdown's within a line; ```math is safe from it."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    assert "$$" not in text
    assert [formula for formula in re.findall(r"\$([^$\n]+)\$", text) if re.search(r"\\[^a-zA-Z]", formula)] == []


def names_in(path):
    """Return all functions, classes and methods of a module, by their dotted name."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        name = getattr(node, "name", None)
        found |= {name, *(f"{name}.{inner.name}" for inner in getattr(node, "body", []) if hasattr(inner, "name"))}
    return found


def test_the_map_of_the_paper_names_what_there_is():
    rows = [line for line in (DOCS / "paper_to_code.md").read_text().splitlines() if "](../" in line and "|" in line]
    assert len(rows) > 20
    for row in rows:
        assert row.count("](../radmm/") + row.count("](../config/") >= 1
        assert row.count("](../tests/") >= 1
        for target, names in re.findall(r"\]\(\.\./([^)]+)\)((?:,? `[^`]+`)*)", row):
            assert (ROOT / target).is_file(), target
            asked = set(re.findall(r"`([^`]+)`", names))
            assert not asked or asked <= names_in(ROOT / target), (target, asked - names_in(ROOT / target))


def test_the_gallery_shows_figures_that_there_are():
    shown = set(re.findall(r"\(figures/([^)]+)\)", (DOCS / "gallery.md").read_text()))
    there = {str(path.relative_to(DOCS / "figures")) for path in (DOCS / "figures").rglob("*.*")}
    assert shown <= there


def rows_of(heading):
    section = ARCHITECTURE.split(heading)[1].split("\n## ")[0]
    return [line.split(" | ") for line in re.findall(r"^\| (.*) \|$", section, re.MULTILINE)][1:]


def test_the_path_of_a_setting_has_at_most_nine_stages_that_exist():
    rows = [row for row in rows_of("## Path of a setting") if row[0].strip().isdigit()]
    assert 5 <= len(rows) <= 9
    for _, stage, *_ in rows:
        file, *names = re.findall(r"`([^`]+)`", stage)
        text = (ROOT / file).read_text()
        for name in names:
            assert re.search(rf"^(def|class) {name}\b", text, re.MULTILINE), (file, name)


def test_there_is_a_row_for_each_kind_and_each_is_one_file():
    rows = rows_of("## New components")
    assert {row[0] for row in rows} == {kind for kind, _ in KINDS.values()}
    for kind, written, _, example in rows:
        assert written.startswith("one file: "), kind
        path = re.fullmatch(r"`([^`]+)`", example)[1]
        assert (ROOT / path).is_file(), path
        *module, name = re.findall(r"`([^`]+)`", written)[0].split(".")
        base = getattr(importlib.import_module(".".join(module)), name)
        assert KINDS[base][0] == kind
        shipped = {component.__module__ for component in base.registry.values()}
        assert path.removesuffix(".py").replace("/", ".") in shipped


def test_the_picture_shows_the_import_graph():
    sys.path.insert(0, str(DOCS))
    try:
        import rooms
    finally:
        sys.path.remove(str(DOCS))
    import networkx as nx

    drawn = set(re.findall(r'id="imports ([^"]+)"', (DOCS / "figures" / "rooms.svg").read_text()))
    expected = {f"{above} -> {below}" for above, below in nx.transitive_reduction(rooms.imports()).edges}
    assert {name.replace("&gt;", ">") for name in drawn} == expected


def test_the_picture_of_the_pipeline_has_rules_that_there_are():
    drawn = set(re.findall(r'id="box ([^"]+)"', (DOCS / "figures" / "pipeline.svg").read_text()))
    written = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    rules = re.findall(r"^ *rule (\w+):", written, re.MULTILINE)
    batches = re.findall(r'^ *f"(\w+)_\{batch\.name\}"', written, re.MULTILINE)
    assert batches == ["calibrate", "traces"]
    assert drawn - {"download_adult", "pictures_of_main_networks"} <= {*rules, *batches}
    assert {"traces", "table", "figure", "claims", "report"} <= drawn


def test_every_room_says_what_lives_there():
    for package in sorted((ROOT / "radmm").glob("**/__init__.py")):
        text = package.read_text().split('"""')[1]
        room = package.parent.parent == ROOT / "radmm"
        assert "…" not in text, package
        assert len(text) > (120 if room else 40), package


def test_json_of_the_tutorials_check(folder):
    told = run(folder, sys.executable, "-m", "radmm", "check", "--json", "relaxed.py")
    assert json.loads(told)[0]["ok"] is True
