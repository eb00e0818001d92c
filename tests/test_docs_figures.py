"""Every picture of the documents is made by `make readme`, and shown."""

import re

import yaml

from tests.conftest import ROOT

FIGURES = ROOT / "docs" / "figures"
PAGES = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
OTHERS = {"audit", "claims", "ladder"}  # figures of the workflow that are no experiment's


def drawn_by_the_workflow():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    tuned = set(config["tuned"])
    paper = {name for name, experiment in config["experiments"].items() if experiment["set"] == "paper"}
    return {f"{name}.png" for name in {*config["experiments"], *tuned, *OTHERS}} | {
        f"paper/{name}.png" for name in paper
    }


def drawn_by_scripts():
    """Names that the scripts of `make readme` write under docs/figures."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\nreadme:")[1].split("\n\n")[0]
    scripts = re.findall(r"python (docs/\w+\.py)", recipe)
    assert len(scripts) == 4
    text = "".join((ROOT / script).read_text(encoding="utf-8") for script in scripts)
    return set(re.findall(r'"figures" / "(\w+\.\w+)"', text))


def test_every_picture_is_made_and_shown():
    pictures = {str(path.relative_to(FIGURES)) for path in FIGURES.rglob("*.*")}
    assert pictures <= drawn_by_the_workflow() | drawn_by_scripts()
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert pictures <= set(re.findall(r"figures/([\w/]+\.(?:png|svg))\)", shown))


def test_a_picture_that_nothing_draws_is_noticed():
    assert "relaxation.png" not in drawn_by_the_workflow() | drawn_by_scripts()
    assert {"idea.svg", "rooms.svg", "pipeline.svg"} <= drawn_by_scripts()
