"""The documents as a site: a link that leads nowhere fails the build, and what it shows is the present code."""

import re
import sys

import pytest

import radmm
from radmm.algorithms.algorithm import ALGORITHMS
from tests.conftest import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def pages():
    sys.path.insert(0, str(DOCS))
    try:
        import pages
    finally:
        sys.path.remove(str(DOCS))
    return pages


def math_of(page):
    """Formulas of a page of the site; one that could not be read keeps its commands."""
    return re.findall(r"<math.*?</math>", page, re.DOTALL)


def test_it_is_built_without_a_warning_needs_no_network_and_leaves_nothing_out(pages, tmp_path):
    assert pages.build(tmp_path) == 0
    for page in (tmp_path / "site").rglob("*.html"):
        fetched = re.findall(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="((?:https?:)?//[^"]+)"', page.read_text())
        assert not fetched, page.name
    for style in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text()), style.name
    formulas = [(page.name, each) for page in (tmp_path / "site").glob("*.html") for each in math_of(page.read_text())]
    assert len(formulas) > 500
    assert [place for place, formula in formulas if "\\" in formula or "<mi>&</mi>" in formula] == []
    api = (tmp_path / "site" / "api.html").read_text()
    for name in radmm.__all__:
        assert f'id="radmm.{name}"' in api, name


def test_every_page_is_in_the_contents(pages):
    listed = {page for chosen in pages.CONTENTS.values() for page in chosen}
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} | set(pages.ELSEWHERE) | {"api.md"}
    assert {f"{page}.md" for page in listed} == there


def test_a_link_that_leads_nowhere_is_an_error(pages, tmp_path, monkeypatch, capfd):
    """The rest of the site is left out, as this is about links."""
    monkeypatch.setattr(pages, "prepare", _one_page)
    assert pages.build(tmp_path) != 0
    told = capfd.readouterr().err
    assert all(target in told for target in ("none.md", "no-such-heading", "figures/none.png"))


def _one_page(folder):
    folder.mkdir()
    text = "# Here\n\n[a](none.md) [b](index.md#no-such-heading) ![c](figures/none.png)\n"
    (folder / "index.md").write_text(text)


def test_code_beside_an_equation_is_the_code_that_runs():
    sys.path.insert(0, str(DOCS))
    try:
        import excerpts
    finally:
        sys.path.remove(str(DOCS))
    texts = [page.read_text() for page in excerpts.PAGES]
    assert [text.count("<!-- code ") for text in texts] == [5, 5]
    assert [excerpts.refreshed(text) for text in texts] == texts, "python docs/excerpts.py brings them up to date"
    assert excerpts.refreshed(texts[0].replace("oracle.argmin(", "oracle.other(")) == texts[0]


def test_every_algorithm_has_a_section():
    text = "".join((DOCS / name).read_text() for name in ("algorithms.md", "gradient_algorithms.md"))
    sections = re.findall(r"^## `([^`]+)`", text, re.MULTILINE)
    assert sorted(sections) == sorted(name for name, cls in ALGORITHMS.items() if cls.__module__.startswith("radmm."))
