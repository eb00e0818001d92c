"""The report in a real browser: every page from the file system, without a network."""

import numpy as np
import pandas as pd
import pytest

from radmm.base.store import write_csv
from radmm.results.audit.red_team.contest import RESEARCH, play
from radmm.results.audit.red_team.game import make_game
from radmm.results.figures.palette import ALGORITHMS
from radmm.results.report.content import claim_summary, read_audit, read_red_team
from radmm.results.report.page import make_page
from radmm.results.report.replicated import replicated_pages
from radmm.results.report.tuned import tuned_pages
from tests.jobs.made_project import MadeProject
from tests.results.report.browser import Reader, data_of, start
from tests.results.report.made_pages import made_audit, made_claims, made_replication, made_study

pytestmark = pytest.mark.xdist_group("browser")

EVIL = "<img src=x onerror=\"document.title='taken'\"></script><b>$x$"
PAGES = ("overview", "experiment/mine", "compare", "settings", "audit", "tuned/mine", "replicated/again")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = MadeProject(tmp_path_factory.mktemp("report"))
    made.make()
    return made


@pytest.fixture(scope="module")
def shown(project):
    return data_of((project.results / "report.html").read_text())


@pytest.fixture(scope="module")
def reader(shown, tmp_path_factory):
    """Of a report that has what long runs leave, too: a tuned study, a replication, an audit, attacks and claims."""
    folder = tmp_path_factory.mktemp("long")
    claims = made_claims()
    write_csv(folder / "red_team.csv", pd.DataFrame([outcome.row() for outcome in play(make_game(), RESEARCH, 3, 0)]))
    more = {
        "tuned": tuned_pages(made_study(folder)),
        "replicated": replicated_pages(made_replication(folder)),
        "audit": read_audit(made_audit(folder / "audit.parquet")),
        "red_team": read_red_team(folder / "red_team.csv"),
        "claims": [claim_summary(claim) | {"figure": "mine"} for claim in claims["claims"]],
        "assumed": claims["assumed"],
    }
    page = folder / "report.html"
    page.write_text(make_page(shown | more))
    driver = start()
    yield Reader(driver, page)
    driver.quit()


def traces_of(project, shown, label):
    mine = next(page for page in shown["experiments"] if page["name"] == "mine")
    ids = [each["id"] for each in mine["settings"] if each["label"] == label]
    return [pd.read_parquet(project.results / "traces" / f"{setting}.parquet") for setting in ids]


def test_every_page_opens_without_a_complaint_or_a_barrier(reader):
    for width, scheme in ((1280, "light"), (400, "dark")):
        reader.look(width, scheme)
        for page in PAGES:
            reader.open(page)
            assert reader.find("h1").text
            assert reader.find("nav a[aria-current]").get_attribute("href").endswith(f"#{page}")
            assert reader.run("return document.documentElement.scrollWidth") <= width, page
            assert reader.barriers() == [], (page, width, scheme)
    assert reader.complaints() == []
    reader.look()


def test_no_table_scrolls_up_and_down_within_the_page(reader):
    reader.open("overview")
    scrolls = (
        "return [...document.querySelectorAll('main *')].filter((each) => each.scrollHeight > each.clientHeight + 1 "
    )
    assert reader.run(scrolls + "&& ['auto', 'scroll'].includes(getComputedStyle(each).overflowY)).length") == 0


def test_figures_are_drawings_that_a_dark_page_inverts(reader):
    reader.open("experiment/mine")
    of_figure = "const found = document.querySelector('img.drawn'); return "
    reader.run("return document.querySelector('img.drawn').decode()")
    assert reader.run(f"{of_figure} found.naturalWidth") > 0
    filters = {}
    for scheme in ("light", "dark"):
        reader.look(scheme=scheme)
        filters[scheme] = reader.run(f"{of_figure} getComputedStyle(found).filter")
        assert filters[scheme] == reader.run("return getComputedStyle(document.querySelector('.plot')).filter")
    reader.look()
    assert filters["light"] == "none"
    assert "invert" in filters["dark"]


def test_selections_change_what_is_drawn_and_the_address(reader, project, shown):
    reader.open("experiment/mine")
    (trace,) = traces_of(project, shown, "ADMM")
    of_iterations = trace[trace["iteration"] > 0].groupby("iteration")
    first = reader.drawn("curves")[0]
    assert first["x"] == [1, 2, 3, 4]  # iteration 0 is left out
    np.testing.assert_allclose(first["y"], of_iterations["loss"].mean(), rtol=1e-6)
    reader.choose("Vertical axis", "error_rate")
    np.testing.assert_allclose(reader.drawn("curves")[0]["y"], of_iterations["error_rate"].mean(), rtol=1e-6)
    reader.choose("Iterate", "average")
    averaged = of_iterations["error_rate_average"].mean()
    np.testing.assert_allclose(reader.drawn("curves")[0]["y"], averaged, rtol=1e-6)
    reader.choose("Iterations", "odd")
    assert reader.drawn("curves")[0]["x"] == [1, 3]
    reader.choose("Runs", "runs")
    lines = [line for line in reader.drawn("curves") if line["name"] == first["name"]]
    for run, line in enumerate(lines):
        own = trace[(trace["run"] == run) & (trace["iteration"] % 2 == 1)]["error_rate_average"]
        np.testing.assert_allclose(line["y"], own, rtol=1e-6)
    assert len(lines) == trace["run"].nunique()
    address, drawn = reader.driver.current_url, reader.drawn("curves")
    assert "metric=error_rate" in address
    reader.open(address.split("#")[1])  # shared, it shows the same
    assert reader.drawn("curves") == drawn
    reader.choose("Iterations", "all")
    assert reader.drawn("curves")[0]["x"] == [0, 1, 2, 3, 4]


def test_the_horizontal_axis_is_chosen(reader, project, shown):
    reader.open("experiment/mine?metric=error_rate")
    runs = traces_of(project, shown, "R-ADMM")
    lines = {line["name"]: line for line in reader.drawn("curves")}
    means = np.mean([run.groupby("iteration")["error_rate"].mean()[1:] for run in runs], axis=0)
    np.testing.assert_allclose(lines["R-ADMM"]["y"], means, rtol=1e-6)  # seeds are pooled
    expected = {
        "data_steps": [1, 1, 2, 2],
        "messages": runs[0][runs[0]["run"] == 0]["messages"].tolist()[1:],
        "privacy_loss": runs[0][runs[0]["run"] == 0]["privacy_loss"].tolist()[1:],
        "passes_so_far": runs[0].groupby("iteration")["passes"].mean().fillna(0).cumsum().tolist()[1:],
    }
    for axis, values in expected.items():
        reader.choose("Horizontal axis", axis)
        (line,) = (line for line in reader.drawn("curves") if line["name"] == "R-ADMM")
        np.testing.assert_allclose(line["x"], values, rtol=1e-6)
    reader.choose("Horizontal axis", "split.seed")
    (line,) = (line for line in reader.drawn("curves") if line["name"] == "R-ADMM")
    assert line["x"] == [0, 1]
    ends = [run[run["iteration"] == 4]["error_rate"].mean() for run in runs]
    np.testing.assert_allclose(line["y"], ends, rtol=1e-6)
    mine = next(page for page in shown["experiments"] if page["name"] == "mine")
    reader.choose("Horizontal axis", shown["headline"]["total"])
    (line,) = (line for line in reader.drawn("curves") if line["name"] == "R-ADMM")
    totals = [end[shown["headline"]["total"]] for end in mine["ends"][1:3]]
    assert line["x"] == sorted(set(totals))


def test_unticking_a_curve_recolours_nothing(reader):
    reader.open("experiment/mine")
    every = {line["name"]: line["look"] for line in reader.drawn("curves")}
    assert every["ADMM"][0].lower() == ALGORITHMS["admm"].color.lower()
    assert every["R-ADMM"][0].lower() == ALGORITHMS["r-admm"].color.lower()
    reader.click("ADMM", "fieldset")
    assert {line["name"]: line["look"] for line in reader.drawn("curves")} == {
        name: look for name, look in every.items() if name != "ADMM"
    }
    reader.choose("split.seed", "1")
    assert [line["name"] for line in reader.drawn("curves")] == ["R-ADMM", "Budget"]
    reader.choose("split.seed", "")
    shades = {line["name"]: line["look"][0] for line in reader.drawn("curves") if line["name"].startswith("R-ADMM")}
    assert len(set(shades.values())) == 2


def test_a_page_has_its_title_its_claims_and_a_caption_that_folds(reader, shown):
    reader.open("experiment/mine")
    mine = next(page for page in shown["experiments"] if page["name"] == "mine")
    assert reader.find("h1").text == mine["title"]
    beside = reader.find("aside").text
    assert "It shines." in beside
    assert "mixed" in beside
    caption = reader.find("figcaption")
    assert "2 runs each" in caption.text
    assert "replacing one row" not in caption.text.split("Conditions")[0]
    reader.click("Conditions of every ε", "figcaption")
    assert "replacing one row" in caption.text


def test_settings_are_sorted_filtered_and_their_columns_hidden(reader, shown):
    reader.open("settings")
    every = reader.column("setting")
    assert sorted(every) == sorted(row[0] for row in shown["settings"]["rows"])
    reader.find("thead button").send_keys("\n")
    assert reader.column("setting") == sorted(every)
    reader.find("thead button").send_keys("\n")
    assert reader.column("setting") == sorted(every, reverse=True)
    assert reader.find("thead th").get_attribute("aria-sort") == "descending"
    reader.find("input[type=search]").send_keys("other path")
    assert len(reader.column("setting")) == 1
    (link,) = reader.driver.find_elements("css selector", "td:first-child a")
    assert link.get_attribute("href").endswith(f"/traces/{reader.column('setting')[0]}.parquet")
    heads = "return [...document.querySelectorAll('thead th')].map((each) => each.innerText.trim())"
    before = reader.run(heads)
    reader.click("Columns")
    reader.click("label", ".columns")
    assert reader.run(heads) == [name for name in before if name != "label"]
    reader.open(reader.driver.current_url.split("#")[1])
    assert "label" not in reader.run(heads)


def test_the_first_page_says_what_to_use_what_it_costs_and_what_is_behind_it(reader, shown):
    reader.open("overview")
    assert shown["recommended"]["sentence"] in reader.find(".lead").text
    assert shown["headline"]["sentences"][1] in reader.find(".lead").text
    assert "Test error is that of the average of the nodes' classifiers." in reader.find("main").text
    rows = [row for row in shown["recommended"]["rows"] if (row["epsilon"], row["neighbours"]) == (1.0, "replace")]
    assert reader.column("test error", "#recommended") == [
        f"{100 * row['error']:.1f} % ({100 * row['low']:.1f}–{100 * row['high']:.1f})" for row in rows
    ]
    for command in ("recommend", "calibrate", "train"):
        assert rows[0][command] in reader.find("#recommended").text
    reader.choose("Total ε", "0.5")
    rows = [row for row in shown["recommended"]["rows"] if (row["epsilon"], row["neighbours"]) == (0.5, "replace")]
    assert [cell.split(",")[0] for cell in reader.column("use", "#recommended")] == [
        row["method"].split(",")[0] for row in rows
    ]
    point, setting = reader.find(".behind").text, shown["headline"]["setting"]
    assert f"results/traces/{setting}.parquet" in point
    other = next(line for line in reader.drawn("budget") if line["name"] == "R-ADMM")
    plot = "const plot = document.getElementById('budget'); "
    place = f"{plot} return plot.data.findIndex((trace) => trace.name === 'R-ADMM')"
    clicked = reader.run(place), len(other["x"]) - 1
    reader.run(
        f"{plot} const point = {{customdata: plot.data[arguments[0]].customdata[arguments[1]]}};"
        "plot.emit('plotly_click', {points: [point]})",
        *clicked,
    )
    assert reader.find(".behind h3").text.startswith("R-ADMM")


def test_commands_are_copied(reader):
    reader.open("experiment/mine")
    reader.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]})
    reader.run("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    reader.click("Copy")
    assert reader.run("return window.copied") == "snakemake --cores all -- results/figures/mine.pdf"
    assert reader.find(".command button").text == "Copied"


def test_two_settings_are_compared(reader, shown):
    mine = next(page for page in shown["experiments"] if page["name"] == "mine")
    keys = [f"mine/{each['label']}/{each['id']}" for each in mine["settings"][:2]]
    reader.open(f"compare?one={keys[0]}&other={keys[1]}")
    assert len(reader.drawn("compared")) == 2
    rows = dict(zip(reader.column(""), reader.column("second − first"), strict=True))
    one, other = (end["error_rate"] for end in mine["ends"][:2])
    assert float(rows["test error"]) == pytest.approx(other - one, rel=1e-3)
    assert "algorithm.name" in rows
    assert "problem.C" not in rows  # which they share
    reader.choose("Vertical axis", "loss")
    assert "metric=loss" in reader.driver.current_url


def test_claims_have_a_verdict_for_each_data_set_and_fold_what_they_rest_on(reader):
    reader.open("overview")
    verdicts = "section:has(.columns) table"
    assert reader.column("adult", verdicts) == ["holds", "mixed"]
    assert reader.column("bank", verdicts) == ["holds", "holds"]
    assert reader.column("effect", verdicts)[0] == "−20.00 points (−20.85 to −19.15)"
    assert "N = 20" not in reader.find(verdicts).text
    reader.run("document.querySelectorAll('td details').forEach((each) => { each.open = true })")
    assert "adult: ten runs" in reader.column("claim", verdicts)[0]
    assert "fails at\nN = 20" in reader.column("claim", verdicts)[1]
    width = "const cell = document.querySelector('th.wide'); return cell.offsetWidth / cell.parentNode.offsetWidth"
    assert reader.run(width) == pytest.approx(0.5, abs=0.05)
    reader.find("input[type=search]").send_keys("rains")
    assert [text.split("\n")[0] for text in reader.column("claim", verdicts)] == ["It rains."]


def test_the_audit_has_every_bound_beside_what_was_found(reader):
    reader.open("audit")
    assert "Every bound stands" in reader.find("main").text
    rows = {name: reader.column(name) for name in ("verdict", "low", "bound")}
    assert set(rows["verdict"]) == {"stands"}
    assert all(float(low) <= float(bound) for low, bound in zip(rows["low"], rows["bound"], strict=True))
    drawn = [line for line in reader.drawn("audit") if line["name"].startswith("Shift")]
    assert 0.9 < max(drawn[0]["y"]) <= 1
    assert "They must succeed on research files" in reader.find("main").text
    reader.find("input[type=search]").send_keys("shift")
    assert 0 < len(reader.column("verdict")) < len(rows["verdict"])


def test_a_tuned_study_says_what_to_use_and_draws_every_method(reader):
    reader.open("tuned/mine")
    assert "17.5 % by ADMM" in reader.find(".lead").text
    assert "Of alike, ε holds against outsiders." in reader.find("main").text
    lines = {line["name"]: line for line in reader.drawn("tuned")}
    assert list(lines) == ["ADMM", "alike", "no privacy"]
    assert lines["ADMM"]["x"] == [1.0]
    assert lines["ADMM"]["y"] == pytest.approx([0.1755], abs=0.001)


def test_a_replication_shows_verdicts_figure_and_table(reader):
    reader.open("replicated/again")
    text = reader.find("main").text
    assert "at equal P(T), 1 holds; at equal (ε, δ), 1 is undecided." in text
    assert "Of R, ε holds against outsiders." in text
    assert reader.column("verdict") == ["holds", "undecided"]
    assert "−1.25" in text or "-1.25" in text
    assert reader.find("section img").get_attribute("src").startswith("blob:")
    assert "again.md" in text


def test_what_a_label_says_stays_text(project, reader, tmp_path):
    """No label of a config can become a part of the page."""
    page = tmp_path / "evil.html"
    text = (project.results / "report.html").read_text()
    evil = text.replace('"Budget"', '"' + EVIL.replace("<", "\\u003c").replace('"', '\\"') + '"')
    assert evil != text
    page.write_text(evil)
    other = Reader(reader.driver, page)
    for view in ("overview", "experiment/mine", "compare", "settings"):
        other.open(view)
        assert EVIL in reader.run("return document.body.innerText")
        assert reader.run("return document.title !== 'taken' && !document.querySelector('img[src=x]')")
    assert reader.complaints() == []
