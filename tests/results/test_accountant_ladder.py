import pandas as pd

from radmm.results import accountant_ladder
from radmm.results.figures.accountant_ladder import draw
from radmm.results.figures.palette import ACCOUNTANTS


def test_every_step_of_the_ladder_is_lower_and_none_is_below_the_floor(monkeypatch):
    monkeypatch.setattr(accountant_ladder, "COUNTS", (1, 50))
    table = pd.DataFrame(list(accountant_ladder.ladder()))
    assert set(table["accountant"]) == set(ACCOUNTANTS)
    for _, part in table.groupby(["K", "alpha"]):
        spent = part.set_index("accountant")["epsilon"]
        order = spent[["paper", "pure", "optimal-pure"]].tolist(), spent[["renyi", "pld", "shift"]].tolist()
        assert all(steps == sorted(steps, reverse=True) for steps in order)
        assert spent["plain shift"] <= spent["shift"] < spent["pld"] < spent["optimal-pure"]
        assert spent["shift, zero-out"] < spent["shift"]
    figure = draw(table)
    assert len(figure.axes[1].lines) == len(ACCOUNTANTS)
