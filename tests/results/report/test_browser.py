"""The report in a real browser: every page from the file system, without a network."""

import numpy as np
import pandas as pd
import pytest

from radmm.base.store import write_csv
from radmm.results.audit.red_team.contest import RESEARCH, play
from radmm.results.audit.red_team.game import make_game
from radmm.results.report.content import claim_summary, read_audit, read_red_team
from radmm.results.report.page import make_page
from radmm.results.report.replicated import replicated_pages
from radmm.results.report.tuned import tuned_pages
from tests.jobs.made_project import MadeProject
from tests.results.report.browser import Reader, data_of, start
from tests.results.report.made_pages import made_audit, made_claims, made_replication, made_study

pytestmark = pytest.mark.xdist_group("browser")

EVIL = "<img src=x onerror=\"document.title='taken'\"></script><b>$x$"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = MadeProject(tmp_path_factory.mktemp("report"))
    made.make()
    return made


@pytest.fixture(scope="module")
def reader(project):
    driver = start()
    yield Reader(driver, project.results / "report.html")
    driver.quit()


@pytest.fixture(scope="module")
def shown(project):
    return data_of((project.results / "report.html").read_text())


@pytest.fixture(scope="module")
def long_reader(reader, shown, tmp_path_factory):
    """Of a report that has what long runs leave: a tuned study, a replication, an audit and claims."""
    folder = tmp_path_factory.mktemp("long")
    claims = made_claims()
    more = {
        "tuned": tuned_pages(made_study(folder)),
        "replicated": replicated_pages(made_replication(folder)),
        "audit": read_audit(made_audit(folder / "audit.parquet")),
        "claims": [claim_summary(claim) for claim in claims["claims"]],
        "assumed": claims["assumed"],
    }
    page = folder / "report.html"
    page.write_text(make_page(shown | more))
    return Reader(reader.driver, page)


def trace_of(project, shown, label):
    mine = next(page for page in shown["experiments"] if page["name"] == "mine")
    (setting, *_) = (each["id"] for each in mine["settings"] if each["label"] == label)
    return pd.read_parquet(project.results / "traces" / f"{setting}.parquet")


def test_every_page_opens_without_a_complaint_or_a_barrier(long_reader):
    for width, scheme in ((1280, "light"), (400, "dark")):
        long_reader.look(width, scheme)
        for page in ("overview", "experiment/mine", "settings", "audit", "tuned/mine", "replicated/again"):
            long_reader.open(page)
            assert long_reader.find("h1").text
            assert long_reader.find("nav a[aria-current]").get_attribute("href").endswith(f"#{page}")
            assert long_reader.run("return document.documentElement.scrollWidth") <= width, page
            assert long_reader.barriers() == [], (page, width, scheme)
    assert long_reader.complaints() == []
    long_reader.look()


def test_selections_change_what_is_drawn_and_the_address(reader, project, shown):
    reader.open("experiment/mine")
    trace = trace_of(project, shown, "ADMM")
    of_iterations = trace.groupby("iteration")
    first = reader.drawn("curves")[0]
    np.testing.assert_allclose(first["y"], of_iterations["loss"].mean(), rtol=1e-6)
    reader.choose("Metric", "error_rate")
    np.testing.assert_allclose(reader.drawn("curves")[0]["y"], of_iterations["error_rate"].mean(), rtol=1e-6)
    reader.choose("Iterate", "average")
    averaged = of_iterations["error_rate_average"].mean()
    np.testing.assert_allclose(reader.drawn("curves")[0]["y"], averaged, rtol=1e-6)
    reader.choose("Iterations", "odd")
    assert reader.drawn("curves")[0]["x"] == [1, 3]
    reader.choose("Show", "runs")
    lines = [line for line in reader.drawn("curves") if line["name"] == first["name"]]
    for run, line in enumerate(lines):
        own = trace[(trace["run"] == run) & (trace["iteration"] % 2 == 1)]["error_rate_average"]
        np.testing.assert_allclose(line["y"], own, rtol=1e-6)
    assert len(lines) == trace["run"].nunique()
    address, drawn = reader.driver.current_url, reader.drawn("curves")
    assert "metric=error_rate" in address
    reader.open(address.split("#")[1])  # shared, it shows the same
    assert reader.drawn("curves") == drawn


def test_labels_and_axes_are_chosen(reader):
    reader.open("experiment/mine")
    every = {line["name"] for line in reader.drawn("curves")}
    reader.find("fieldset input").send_keys(" ")
    assert {line["name"] for line in reader.drawn("curves")} == every - {"ADMM"}
    reader.choose("split.seed", "1")
    assert [line["name"] for line in reader.drawn("curves")] == ["R-ADMM", "Budget"]


def test_settings_are_sorted_and_filtered_by_keyboard(reader, shown):
    reader.open("settings")
    every = reader.column(0)
    assert sorted(every) == sorted(row[0] for row in shown["settings"]["rows"])
    reader.find("thead button").send_keys("\n")
    assert reader.column(0) == sorted(every)
    reader.find("thead button").send_keys("\n")
    assert reader.column(0) == sorted(every, reverse=True)
    assert reader.find("thead th").get_attribute("aria-sort") == "descending"
    reader.find("input[type=search]").send_keys("other path")
    assert len(reader.column(0)) == 1
    (link,) = reader.driver.find_elements("css selector", "td:first-child a")
    assert link.get_attribute("href").endswith(f"/traces/{reader.column(0)[0]}.parquet")


def test_the_overview_tells_what_a_budget_buys(reader, shown):
    reader.open("overview")
    lead = reader.find(".lead").text
    assert "shift accountant, δ = 1e-05, replacing one row" in lead
    before = reader.drawn("budget")
    reader.choose("Against", "loss")
    assert reader.drawn("budget") != before
    mine = next(page for page in shown["experiments"] if page["name"] == "mine")
    ends = [end["loss"] for each, end in zip(mine["settings"], mine["ends"], strict=True) if each["label"] == "Budget"]
    assert [line["y"] for line in reader.drawn("budget") if line["name"] == "Budget"] == [ends]


def test_claims_have_their_verdict_their_exceptions_and_what_they_rest_on(long_reader):
    long_reader.open("overview")
    assert long_reader.column(0) == ["holds", "mixed"]
    assert long_reader.column(3)[0] == "−20.00 points (−20.85 to −19.15)"
    assert long_reader.column(6) == ["adult: ten runs"] * 2
    assert long_reader.column(8) == ["", "fails at N = 20"]
    assert "Exact argmins." in long_reader.find("main").text
    long_reader.find("input[type=search]").send_keys("rains")
    assert long_reader.column(1) == ["It rains."]


def test_the_audit_has_every_bound_beside_what_was_found(long_reader):
    long_reader.open("audit")
    assert "every bound stands" in long_reader.find("main").text
    head = long_reader.run("return [...document.querySelectorAll('thead th')].map((each) => each.innerText.trim())")
    rows = {name: long_reader.column(place) for place, name in enumerate(head)}
    assert set(rows["verdict"]) == {"stands"}
    assert all(float(low) <= float(bound) for low, bound in zip(rows["low"], rows["bound"], strict=True))
    drawn = [line for line in long_reader.drawn("audit") if line["name"] == "shift"]
    assert 0.9 < max(drawn[0]["y"]) <= 1
    long_reader.find("input[type=search]").send_keys("shift")
    assert 0 < len(long_reader.column(0)) < len(rows["verdict"])


def test_the_red_team_stands_below_the_audit(reader, shown, tmp_path):
    told = [outcome.row() for outcome in play(make_game(), RESEARCH, 3, 0)]
    write_csv(tmp_path / "red_team.csv", pd.DataFrame(told))
    audit = read_audit(made_audit(tmp_path / "audit.parquet"))
    page = tmp_path / "report.html"
    page.write_text(make_page(shown | {"audit": audit, "red_team": read_red_team(tmp_path / "red_team.csv")}))
    other = Reader(reader.driver, page)
    other.open("audit")
    assert "They must succeed on research files" in other.find("main").text
    assert {row["attack"] for row in told} <= set(other.column(0))
    assert other.complaints() == []


def test_a_tuned_study_says_what_to_use_and_draws_every_method(long_reader):
    long_reader.open("tuned/mine")
    assert "17.5 % by ADMM" in long_reader.find(".lead").text
    assert "Of alike, ε holds against outsiders." in long_reader.find("main").text
    lines = {line["name"]: line for line in long_reader.drawn("tuned")}
    assert list(lines) == ["ADMM", "alike", "no privacy"]
    assert lines["ADMM"]["x"] == [1.0]
    assert lines["ADMM"]["y"] == pytest.approx([0.1755], abs=0.001)


def test_a_replication_shows_verdicts_figure_and_table(long_reader):
    long_reader.open("replicated/again")
    text = long_reader.find("main").text
    assert "at equal P(T) 1 holds; at equal (ε, δ) 1 is undecided." in text
    assert "Of R, ε holds against outsiders." in text
    assert long_reader.column(0)[:2] == ["holds", "undecided"]
    assert "−1.25" in text or "-1.25" in text
    assert long_reader.find("section img").get_attribute("src").startswith("data:image/png")
    assert "again.md" in text


def test_what_a_label_says_stays_text(project, reader, tmp_path):
    """No label of a config can become a part of the page."""
    page = tmp_path / "evil.html"
    text = (project.results / "report.html").read_text()
    evil = text.replace('"Budget"', '"' + EVIL.replace("<", "\\u003c").replace('"', '\\"') + '"')
    assert evil != text
    page.write_text(evil)
    other = Reader(reader.driver, page)
    for view in ("overview", "experiment/mine", "settings"):
        other.open(view)
        assert EVIL in reader.run("return document.body.innerText")
        assert reader.run("return document.title !== 'taken' && !document.querySelector('img[src=x]')")
    assert reader.complaints() == []
