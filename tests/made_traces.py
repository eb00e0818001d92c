"""A world in which everything that the paper claims is true, and knobs that make one claim false each.

Traces are formulas, with a random effect of the run that all settings share: as with the real ones, settings differ by
less than runs do, and only pairs of runs tell them apart.
"""

from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

import radmm
from radmm.base.store import write_parquet
from radmm.metrics.metric import metric_columns
from radmm.results.claims.convergence import OWN_GROWTHS
from radmm.study.entries import Entry
from tests.ledgers import facts_of, make_ledger
from tests.made_settings import made_setting

RUNS, T = 8, 16
FAST = 12.0  # rate of R-ADMM with a constant penalty, so that slower ones arrive as well
TIME = np.arange(T + 1)
IS_EVEN = TIME % 2 == 0
EFFECT = 0.02 * np.random.default_rng(0).standard_normal((RUNS, 1))  # of the run, whatever the setting
OTHERS = 1e-4 * np.random.default_rng(1).standard_normal((RUNS, 99))  # of run and setting

GROWTHS = {1: 1.01, 2: 1.02, 3: 1.03, 4: 1.04, 5: 1.05}
ALPHAS = (2.0, 1.0, 0.5)
NODES = {"fig5": 5, "fig5_n20": 20, "fig5_per_node": 5}
FACTS = facts_of(100.0, 0.1, [200, 200], [1, 1])


@dataclass
class World:
    # Figure 1: rates of R-ADMM at γ = 0.5 and 2, to ADMM's; the rise at even iterations; rates against growth k.
    speeds: tuple[float, float] = (1.05, 0.94)
    rises: tuple[float, float] = (0.02, 0.01)
    setback: float = 0.0  # of the loss at one odd iteration of one run
    slowing: float = 0.14  # of the rate, for each step of growth
    first_slowing: float = 0.0
    floor: float = 0.0  # under the distance to the optimum, with each node's own η_i
    apart: float = 0.0  # by which the nodes stay apart under growing penalties
    stall: bool = False
    # Figure 2
    best_rho: float = 0.22
    # Figure 3: of the loss, from one γ to the next
    gamma_effect: float = 0.0
    gamma_bound: float = 0.0
    # Figure 4: of the excess loss, from one q_1 to the next
    growth_gain: float = 0.1
    growth_bound: float = -0.1
    growth_spread: float = -0.15
    gain_under_less_noise: float = 1.0
    # Figure 5: excess losses at α = 1
    excess: dict[str, float] = field(
        default_factory=lambda: {
            "ADMM": 0.5,
            "M-ADMM": 0.6,
            "R-ADMM": 0.3,
            "MR-ADMM": 0.1,
            "ADMM, stopped at T/2": 0.4,
            "ADMM, growing η, stopped at T/2": 0.2,
        }
    )
    bound: dict[str, float] = field(default_factory=lambda: {"R-ADMM": 0.45, "MR-ADMM": 0.4})
    power: float = 1.0  # of 1/α in the excess loss
    spread: dict[str, float] = field(default_factory=lambda: {"MR-ADMM": 0.5})
    calibrated: float = 0.5  # α of ADMM, to R-ADMM's
    sigma: dict[str, float] = field(default_factory=dict)  # with which it spends ε; 3 if not given
    excess_at_equal_epsilon: dict[str, float] = field(default_factory=dict)  # where it is another
    passes: float = 3.0  # of an odd iteration of R-ADMM; ADMM takes 3 in each
    even_passes: float = 0.0
    even_bound: float = 0.0
    _stored: int = 0

    def write(self, folder: Path, *experiments: str) -> dict[str, list[Entry]]:
        """The traces of these experiments, and their settings; ledgers, where claims ask for them, are in `ledgers`."""
        makers = {"fig1b": self._fig1b, "fig1c": self._fig1c} | dict.fromkeys(NODES, self._fig5)
        makers |= {name: getattr(self, f"_{name}") for name in ("fig1a", "fig2", "fig3", "fig4", "fig5_epsilon")}
        return {name: [self._store(folder, name, *made) for made in makers[name](name)] for name in experiments}

    def _store(self, folder, experiment, label, grid_point, parameters, columns):
        self._stored += 1  # as iterations: nothing here depends on them, and no two settings are the same
        plain = {"network": {"law": "ring", "nodes": 5}, "algorithm": {"name": "admm"}, "iterations": self._stored}
        setting = made_setting(**plain | parameters)
        write_parquet(folder / f"{setting.id}.parquet", as_trace(columns), {})
        if experiment == "fig5_epsilon":
            noise = radmm.ObjectiveNoise(sigma=self.sigma.get(label, 3.0))
            released = make_ledger(FACTS, radmm.ADMM(), noise, 2).columns()
            write_parquet(folder / "ledgers" / f"{setting.id}.parquet", released, {})
        return Entry(experiment, label, grid_point, setting)

    def _fig1a(self, _):
        for nodes in (5, 20):
            network = {"network": {"law": "ring", "nodes": nodes}}
            admm = curve(1.0) | {"passes": np.where(TIME > 0, 3.0, 0.0) + np.zeros((RUNS, 1))}
            yield "ADMM", {"network.nodes": nodes}, network, admm
            for gamma, speed, rise in zip((0.5, 2.0), self.speeds, self.rises, strict=True):
                made = curve(speed)
                made["loss"][:, 2::2] = made["loss"][:, 1::2] + rise / TIME[2::2]
                made["loss"][0, 5] += self.setback
                made["passes"] = self._recycled_passes()
                yield "R-ADMM", {"network.nodes": nodes, "algorithm.gamma": gamma}, network, made

    def _fig1b(self, _):
        yield "R-ADMM", {}, {}, curve(FAST, least=0.02)
        for k, suffix in product(GROWTHS, ("", ", common θ")):
            yield f"MR-ADMM, {OWN_GROWTHS[k - 1]}{suffix}", {}, {}, self._slowed(k, 0.0 if suffix else self.floor)

    def _fig1c(self, _):
        yield "R-ADMM", {}, {}, curve(FAST, least=0.02)
        for (k, ratio), suffix in product(GROWTHS.items(), ("", ", common θ")):
            yield f"MR-ADMM{suffix}", {"algorithm.penalty.ratio": ratio}, {}, self._slowed(k, 0.0)

    def _slowed(self, k, floor):
        made = curve(FAST * (1 - self.first_slowing - self.slowing * k), least=0.02)
        made["distance"] += floor
        made["consensus"] += self.apart
        if self.stall:
            made["distance"][:, 3 * T // 4 :] = made["distance"][:, [3 * T // 4]]
        return made

    def _fig2(self, _):
        for seed, rho in product(range(RUNS), (0.01, 0.22, 1.0)):
            error = 0.16 + EFFECT[seed, 0] + 0.003 * abs(np.log(rho / self.best_rho)) + OTHERS[seed, 0]
            point = {"split.seed": seed, "problem.rho": rho}
            yield "ADMM", point, {"split": {"train": 30, "seed": seed}}, {"error_rate": np.full((1, 2), error)}

    def _fig3(self, _):
        for alpha, (step, gamma) in product((1.0, 2.0), enumerate((0.1, 0.5, 2.0))):
            loss = 0.4 * (1 + step * self.gamma_effect) + EFFECT + OTHERS[:, [step]]
            made = {
                "loss": loss,
                "error_rate": loss / 2,
                "privacy_loss": np.full((RUNS, 1), 5 + step * self.gamma_bound),
            }
            yield "MR-ADMM", {"noise.alpha": alpha, "algorithm.gamma": gamma}, {}, made

    def _fig4(self, _):
        for alpha, (step, ratio) in product((2.0, 1.0), enumerate((1.01, 1.02, 1.03))):
            gain = step * self.growth_gain * (self.gain_under_less_noise if alpha == 2.0 else 2.0)
            scale = 1 + step * self.growth_spread
            loss = 1.2 - gain + scale * EFFECT + OTHERS[:, [step]]
            bound = np.full((RUNS, 1), 5 + step * self.growth_bound)
            made = {"loss": loss, "error_rate": loss / 2, "privacy_loss": bound}
            yield "MR-ADMM", {"noise.alpha": alpha, "algorithm.penalty.ratio": ratio}, {}, made

    def _fig5(self, experiment):
        nodes = {"network": {"law": "ring", "nodes": NODES[experiment]}}
        for alpha, (number, (label, excess)) in product(ALPHAS, enumerate(self.excess.items())):
            given = {"per_node": [alpha, alpha]} if experiment == "fig5_per_node" else alpha
            is_ours = label in ("R-ADMM", "MR-ADMM")
            actual = alpha * (1 if is_ours else self.calibrated)
            loss = 0.35 + excess / alpha**self.power + self.spread.get(label, 1.0) * EFFECT + OTHERS[:, [number]]
            spent = 2 * np.ceil(TIME / 2) + np.where(IS_EVEN, self.even_bound, 0.0) if is_ours else TIME
            made = {
                "loss": loss + np.zeros(T + 1),
                "error_rate": loss / 2 + np.zeros(T + 1),
                "privacy_loss": self.bound.get(label, 1.0) * spent * np.ones((RUNS, 1)),
                "passes": self._recycled_passes() if is_ours else np.where(TIME > 0, 3.0, 0.0) + np.zeros((RUNS, 1)),
            }
            yield label, {"noise.alpha": given}, {**nodes, "noise": {"kind": "objective", "alpha": actual}}, made

    def _fig5_epsilon(self, _):
        for number, (label, excess) in enumerate((self.excess | self.excess_at_equal_epsilon).items()):
            if "stopped" not in label:
                loss = 0.35 + excess + EFFECT + OTHERS[:, [number]] + np.zeros(T + 1)
                yield label, {}, {}, {"loss": loss, "error_rate": loss / 2}

    def _recycled_passes(self):
        return np.where(TIME == 0, 0.0, np.where(IS_EVEN, self.even_passes, self.passes)) + np.zeros((RUNS, 1))


def curve(speed, least=0.15):
    """Loss and distances that fall geometrically, from a point that depends on the run."""
    falling = np.exp(-0.1 * speed * TIME)
    start = 1 + 5 * EFFECT
    return {"loss": least + 0.25 * start * falling, "distance": 10 * start * falling, "consensus": start * falling**2}


def as_trace(columns):
    """(run, iteration) arrays as the columns of a trace; NaN where a metric isn't given."""
    runs, rows = np.indices(next(iter(columns.values())).shape)
    trace = {name: np.full(runs.size, np.nan) for name in metric_columns()}
    given = {name: np.array(values, dtype=float).ravel() for name, values in columns.items()}
    return {"run": runs.ravel(), "iteration": rows.ravel(), **trace, **given}
