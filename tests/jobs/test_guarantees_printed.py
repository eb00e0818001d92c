"""No ε is printed rounded down or without its conditions: documents, tables, figures, report and command line."""

import json
import re

import pandas as pd
import pytest

import radmm
from radmm.__main__ import main
from radmm.accounting import ledger_after, worked_table
from radmm.base.store import read_metadata
from radmm.command.file_kinds import describe
from radmm.jobs.study import Study
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.guarantee import NOT_FOR_RELEASE, SHARED_DRAWS, guarantee_of
from radmm.privacy.noise import Noise
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.results.accountant_ladder import ladder
from radmm.results.epsilon_terms import BOUND, NOT_COVERED, terms_by_metric
from tests.conftest import ROOT
from tests.jobs.test_claims_step import CONFIG, planned
from tests.printed_epsilons import NUMBER, faults, printed, sections
from tests.results.report.browser import data_of

PAGES = [ROOT / name for name in ("README.md", "config/README.md", "config/reference.md", "examples/README.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
README, REPRODUCTION = ((ROOT / name).read_text() for name in ("README.md", "docs/reproduction/fig5.md"))
WORKED = ledger_after(25, ObjectiveNoise(1.0))


def rounded_down(text):
    """The same with the last digit of its first ε one less."""
    number = f"{printed(text)[0]:.4g}"
    return text.replace(number, f"{float(number) * 0.999:.4g}", 1)


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_documents_tell_the_conditions(page):
    found = [fault for text, context in sections(page.read_text()) for fault in faults(text, context)]
    assert found == []


def outcome(page):
    """The README's totals: of the paper's bound, of pure composition, by Rényi accounting, and by our accountant."""
    found = re.search(
        rf"total\s+ε = ({NUMBER}) by the paper's bound and ({NUMBER}) by our pure one, both at δ = 0\. "
        rf"With δ = 1e-5 allowed they have ({NUMBER}) by Rényi\s+accounting and ({NUMBER}) by the accountant proved",
        page,
    )
    return [float(number) for number in found.groups()]


def test_the_readme_s_totals_hold():
    for said, accountant in zip(outcome(README), ("paper", "pure", "renyi", "shift"), strict=True):
        assert guarantee_of(WORKED, 1e-5, accountant) <= said


def test_the_worked_table_holds():
    block = re.search(
        r"<!-- table: begin -->\n(.*?)<!-- table: end -->", (ROOT / "docs/accountants.md").read_text(), re.DOTALL
    )
    lines = [line.strip("| ").split(" | ") for line in block[1].splitlines() if re.match(r"\| (?:25|50) \|", line)]
    rows = worked_table()
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert all(value <= float(said) for said, value in zip(line, row.values(), strict=True)), line


def bounds_of(experiment):
    """P(T) by α and label, of the settings that don't ask for a budget."""
    own = [each for each in Study.of(CONFIG).experiments[experiment] if isinstance(each.setting.noise, Noise)]
    return {(each.setting.noise.alpha, each.label): PaperAccountant().epsilon(planned(each)) for each in own}


@pytest.mark.parametrize("experiment", ["fig5", "fig5_n20"])
def test_the_bounds_of_figure_5_hold(experiment):
    block = REPRODUCTION.split(f"<!-- {experiment} numbers: begin -->")[1].split("<!--")[0]
    shown = [line.strip("| ").split(" | ") for line in block.splitlines() if re.match(r"\| [\d.]+ \|", line)]
    said = {(float(cells[0]), cells[1]): float(cells[2]) for cells in shown}
    known = bounds_of(experiment)
    assert known.keys() <= said.keys()
    assert all(bound <= said[setting] <= 1.001 * bound for setting, bound in known.items())


def wrong_rows(table):
    """Rows of an experiment's table whose guarantee is missing, rounded down or without conditions."""
    for metric, mean, text in zip(table["metric"], table["mean"], table["guarantee"], strict=True):
        if metric not in terms_by_metric() or mean != mean:
            yield from [] if text == NOT_COVERED else [text]
        elif len(printed(text)) != 1:
            yield f"{metric} = {mean}: {text}"
        else:
            yield from faults(text, known=[mean])


@pytest.fixture(scope="module")
def table(made_project):
    return pd.read_csv(made_project / "results" / "tables" / "mine.csv")


def test_tables_tell_both_in_every_row(made_project, table):
    whole = made_project / "results" / "tables" / "mine.parquet"
    assert list(wrong_rows(table)) == list(wrong_rows(pd.read_parquet(whole))) == []
    about = read_metadata(whole)
    totals = {metric for metric in table["metric"] if metric == BOUND or metric.startswith("epsilon_")}
    assert set(about["terms"]) == totals
    assert {each["neighbours"] for each in about["terms"].values()} == {"replace", "zero-out"}
    assert about["not_for_release"] == NOT_FOR_RELEASE
    assert SHARED_DRAWS in about["assumed"]


def test_the_ladder_tells_its_conditions():
    row = next(ladder())
    assert {"accountant", "neighbours", "delta"} <= set(row)
    assert re.match("in total .*exact", row["conditions"])


def known_totals(table):
    return table.loc[table["metric"].isin(terms_by_metric()) & table["mean"].notna(), "mean"].unique().tolist()


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_figures_metadata_tell_both(made_project, table, kind):
    said = {name: describe(made_project / "results" / "figures" / f"{name}.{kind}")[1] for name in ("mine", "other")}
    assert all(each["disclaimer"].endswith(NOT_FOR_RELEASE) for each in said.values())
    told = said["mine"]["disclaimer"].split("Total ε of one run with noise: ")[1].split(", for replacing")[0]
    numbers = [float(each) for each in re.findall(r"\d[\d.]*", told)]
    totals = table.loc[table["metric"] == "epsilon_shift_delta_1e-05", "mean"].unique()
    assert len(numbers) == len(totals)
    assert all(any(total <= number <= 1.001 * total for number in numbers) for total in totals)
    assert [*faults(said["mine"]["disclaimer"])] == printed(said["other"]["disclaimer"]) == []


def test_the_report_tells_both(made_project, table):
    data = data_of((made_project / "results" / "report.html").read_text())
    told = data["headline"]
    known, context = [1.0, *known_totals(table)], " ".join([*told["sentences"], told["conditions"]])
    assert [fault for text in told["sentences"] for fault in faults(text, context, known)] == []
    assert sum(map(len, map(printed, told["sentences"]))) == 2
    (mine,) = (each for each in data["experiments"] if each["name"] == "mine")
    assert SHARED_DRAWS in " ".join(mine["conditions"])
    assert data["notices"] == [NOT_FOR_RELEASE, SHARED_DRAWS]
    shown = [metric for end in mine["ends"] for metric in end if metric in terms_by_metric()]
    assert all("δ = " in data["metrics"][metric][1] for metric in shown)


RING, SIZE = ["--network", "ring,nodes=4"], ["--rows-per-node", "50", "--dimension", "3"]
RUN = [*RING, "--C", "5", "--rho", "0.1", "--iterations", "6", "--algorithm", "r-admm", "--accountant", "renyi"]
NOISE = ["--noise", "objective,sigma=3"]
COMMANDS = {
    "epsilon": ["epsilon", *RUN, *SIZE, *NOISE],
    "persons": [
        "epsilon",
        *RUN,
        *SIZE,
        *NOISE,
        "--accountant",
        "shift",
        "--neighbours",
        "zero-out",
        "--person-rows",
        "2",
    ],
    "calibrate": ["calibrate", *RUN, *SIZE, "--epsilon", "1"],
    "solve": ["solve", "--data", "synthetic,rows=60,features=3", "--train", "40", *RUN, *NOISE],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_tell_both(name, capsys):
    assert main([*COMMANDS[name], "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    total = said.get("privacy", said)["total_epsilon"]
    assert main(COMMANDS[name]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if printed(line))
    assert list(faults(line, known=[total])) == []


def test_traces_and_ledgers_tell_both(made_project, capsys):
    folder = made_project / "results"
    first, second = sorted(folder.glob("traces/r-admm-*.parquet"))[:2]
    assert main(["compare", str(first), str(second)]) in (0, 1)
    assert main(["inspect", str(folder / "ledgers" / first.name)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if printed(line)]
    assert len(lines) == 3
    assert [fault for line in lines for fault in faults(line)] == []


def test_what_is_printed_in_python_tells_both():
    told = guarantee_of(WORKED, 1e-5, "renyi")
    assert isinstance(told, radmm.Guarantee)
    assert list(faults(f"{told}", known=[told])) == []


LEFT_OUT = {
    "δ": " at δ = 1e-05",
    "the relation": ", for replacing one row",
    "that it is a total": " in total",
    "what is taken as exact": "; in exact arithmetic; taking each argmin as exact",
}


@pytest.mark.parametrize("condition", LEFT_OUT)
def test_a_condition_that_is_left_out_is_found(condition):
    text = str(guarantee_of(WORKED, 1e-5, "renyi"))
    (fault,) = faults(text.replace(LEFT_OUT[condition], "", 1))
    assert f"without {condition}" in fault


def test_a_number_that_is_rounded_down_is_found(table):
    told = guarantee_of(WORKED, 1e-5, "renyi")
    assert len(list(faults(rounded_down(str(told)), known=[told]))) == 1
    assert guarantee_of(WORKED, 1e-5, "paper") > outcome(README.replace("ε = 12.82", "ε = 12.8"))[0]
    texts = [rounded_down(text) if printed(text) else text for text in table["guarantee"]]
    positive = [text for text in texts if any(printed(text))]
    assert len(list(wrong_rows(table.assign(guarantee=texts)))) == len(positive) > 10


def test_an_epsilon_in_a_document_without_conditions_is_found():
    page = "# Title\n\nText.\n\n## One\n\nWith ε = 0.79 all is well.\n\n## Two\n\nδ, replacing, total, exact.\n"
    assert len([fault for text, context in sections(page) for fault in faults(text, context)]) == 1
