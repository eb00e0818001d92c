"""What stands below a figure: the totals of its settings with noise, by whom, and never a refusal that nobody made."""

from types import SimpleNamespace

import pandas as pd
import pytest

from radmm.results.figures.captions import spent
from radmm.results.report.display_names import total_names
from radmm.results.tables import accountants_by_metric

NOISE = {"kind": "objective", "alpha": 1.0}


def material(metric, **totals):
    """Settings with noise, with these totals by this metric."""
    rows = [{"setting": name, "metric": metric, "mean": total} for name, total in totals.items() if total is not None]
    table = pd.DataFrame([{"setting": "free", "metric": "loss", "mean": 0.3}, *rows])
    parameters = {"free": {"noise": None}} | {name: {"noise": NOISE} for name in totals}
    return SimpleNamespace(table=table, parameters=parameters)


@pytest.mark.parametrize(
    ("metric", "whose"),
    [("epsilon_shift_delta_1e-05", "accountant"), ("epsilon_shift-cap_delta_1e-05", "accountant's cap")],
)
def test_totals_are_told_with_the_bound_they_are_by(metric, whose):
    (said,) = spent(material(metric, a=0.50001, b=2.0, c=None))
    terms = (
        f"for replacing one row, at δ = 1e-05 by the shift {whose}, in exact arithmetic, taking each argmin as exact"
    )
    assert said == f"Total ε of one run with noise: 0.5001, 2 (one setting has no such bound), {terms}."


def test_only_what_the_accountant_refused_is_said_to_have_no_proof():
    (said,) = spent(material("epsilon_shift_delta_1e-05", a=None))
    assert said == "No total ε is known: the shift accountant has no proof for these releases."
    assert spent(SimpleNamespace(table=pd.DataFrame({"setting": [], "metric": []}), parameters={})) == []


def test_the_report_knows_every_total_that_a_table_may_have():
    known = accountants_by_metric()
    capped = {metric.replace(each.name, f"{each.name}-cap", 1) for metric, each in known.items() if each.quick()}
    assert capped
    assert set(total_names()) == set(known) | capped
    assert all("cap, δ = " in total_names()[metric].long for metric in capped)
