"""Tune a method in a cell: run its candidates on selection seeds, halve them step by step, judge what is chosen."""

import warnings
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from radmm.base.arrays import Array, Integers
from radmm.base.store import write_parquet
from radmm.data.partition import known_counts, spread_rows
from radmm.data.prepared_files import DataSet, make_problem, read_features
from radmm.data.split import Split, split_rows
from radmm.driver import solve
from radmm.jobs.steps.step_runner import say
from radmm.model.problem import Problem
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.ledger import ledger_of
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.frontier.selection import Reading, Scores, TunedBudget, choose, survivors
from radmm.study.component_json import content_key
from radmm.study.groups import Group, drawn_with
from radmm.study.setting_facts import facts_of, network_of, query_log_of
from radmm.study.settings import Setting

ABOUT = ("stage", "seed", "setting", "iteration")
TUNED_METRICS = ("error_rate", "error_rate_average", "loss", "loss_average")


class Bench:
    """Where the candidates of one group are run.

    Args:
        group: The candidates.
        data: All rows.
    """

    def __init__(self, group: Group, data: DataSet) -> None:
        self.group, self._data = group, data
        self.rows: list[dict[str, Any]] = []
        self._last: tuple[Hashable, Problem, tuple[Any, Any]] | None = None
        self._errors: dict[str, list[Array]] = {candidate.id: [] for candidate in group.candidates}

    def spent(self, seeds: Iterable[int], delta: float) -> dict[str, dict[str, Array]]:
        """ε of each candidate after each number of rounds, the largest over the networks of all seeds.

        All of it is public, so it may be known before anything is chosen.

        Args:
            seeds: Of selection and judgement.
            delta: δ.
        """
        listed = list(seeds)
        told: dict[str, dict[str, Array]] = {}
        for neighbours in Neighbours:
            accountant = ShiftAccountant(Relation(neighbours))
            told[neighbours] = {
                candidate.id: self._spent(candidate.setting, listed, accountant, delta)
                for candidate in self.group.candidates
            }
        return told

    def _spent(self, setting: Setting, seeds: list[int], accountant: ShiftAccountant, delta: float) -> Array:
        noise = setting.known_noise
        if noise is None:
            return np.zeros(len(self.group.rounds))
        ledgers = []
        for seed in seeds:
            drawn = drawn_with(setting, seed)
            ledgers.append(ledger_of(query_log_of(drawn), facts_of(drawn, self.row_counts(drawn)), noise))
        pooled = ledgers[0].beside(*ledgers[1:])
        return np.array([accountant.epsilon(pooled, delta, rounds) for rounds in self.group.rounds])

    def run(self, stage: str, seed: int, settings: Iterable[str], iterations: int) -> None:
        """Run candidates on the draws of a seed.

        Args:
            stage: selection or judgement.
            seed: Of the draws.
            settings: The candidates' ids.
            iterations: How many rounds are needed.
        """
        chosen = set(settings)
        for candidate in self.group.candidates:
            if candidate.id in chosen:
                measured = self._measure(drawn_with(candidate.setting, seed), iterations)
                self._errors[candidate.id].append(measured[:, :2])
                self._note(stage, seed, candidate.id, measured)

    def _measure(self, setting: Setting, iterations: int) -> Array:
        """(rounds, metric): means over the runs; NaN beyond the last iteration, and if a run ended early."""
        problem, test = self._problem(setting)
        warnings.simplefilter("ignore", UserWarning)  # of a step that may diverge: such a candidate is never chosen
        result = solve(
            problem,
            network_of(setting),
            setting.algorithm,
            noise=setting.known_noise,
            iterations=min(iterations, setting.iterations),
            runs=setting.runs,
            seed=setting.seed,
            initial_scale=setting.initial_scale,
            tolerance=setting.tolerance,
            test=test,
        )
        shape = (setting.runs, -1)
        read = np.array([np.asarray(result.columns[name]).reshape(shape).mean(axis=0) for name in TUNED_METRICS]).T
        rounds = np.array(self.group.rounds)
        measured = np.full((len(rounds), len(TUNED_METRICS)), np.nan)
        reached = rounds < len(read)
        measured[reached] = read[rounds[reached]]
        return measured

    def _note(self, stage: str, seed: int, setting: str, measured: Array) -> None:
        for rounds, values in zip(self.group.rounds, measured, strict=True):
            if np.isfinite(values).all():
                about = dict(zip(ABOUT, (stage, seed, setting, rounds), strict=True))
                self.rows.append({**about, **dict(zip(TUNED_METRICS, values.tolist(), strict=True))})

    def errors(self, settings: Iterable[str]) -> dict[str, Array]:
        """(seed, rounds, last or average) of candidates that were run on all seeds so far.

        Args:
            settings: Their ids.
        """
        return {setting: np.array(self._errors[setting]) for setting in settings}

    def row_counts(self, setting: Setting) -> Integers:
        """How many rows each node has.

        Args:
            setting: A candidate's, with its draws.
        """
        split = self._split(setting)
        partition, nodes = setting.partition, network_of(setting).nodes
        known = known_counts(partition, len(split.train), nodes)
        if known is not None:
            return known
        return np.bincount(spread_rows(partition, self._data.training_rows(split), nodes), minlength=nodes)

    def _split(self, setting: Setting) -> Split:
        split = setting.split
        return split_rows(self._data.features.shape[0], split.train, split.test, split.seed)

    def _problem(self, setting: Setting) -> tuple[Problem, tuple[Any, Any]]:
        """The last one is kept: candidates mostly differ in nothing but algorithm and noise."""
        parts = (setting.split, setting.network, setting.partition, setting.problem)
        wanted = tuple(map(content_key, parts))
        if self._last is None or self._last[0] != wanted:
            split = self._split(setting)
            problem = make_problem(
                self._data,
                split,
                setting.partition,
                nodes=network_of(setting).nodes,
                loss=setting.problem.loss,
                C=setting.problem.C,
                rho=setting.problem.rho,
                weighting=setting.problem.weighting,
            )
            self._last = wanted, problem, (self._data.features[split.test], self._data.labels[split.test])
        return self._last[1:]


def tune(group: Group, study: dict[str, Any], features: Path, runs: Path) -> None:
    """Write what was measured of a method's candidates, and which were chosen.

    Args:
        group: The candidates.
        study: What the config says of their study.
        features: The data set's rows.
        runs: Where it goes.
    """
    bench = Bench(group, read_features(features))
    say(f"{group.method}, {group.cell}: {len(group.candidates)} candidates")
    spent = bench.spent([*study["selection"], *study["judgement"]], study["delta"])
    say("their totals are known")
    budgets = [TunedBudget(neighbours, epsilon) for neighbours in Neighbours for epsilon in study["epsilon"]]
    scores = _select(bench, study, budgets, spent)
    chosen = choose(scores, budgets, group.averages)
    wanted = {reading.setting for _, reading in chosen.values()}
    longest = max((group.rounds[reading.place] for _, reading in chosen.values()), default=0)
    for seed in study["judgement"] if chosen else []:
        bench.run("judgement", seed, wanted, longest)
        say(f"{len(wanted)} choices judged on seed {seed}")
    metadata = {
        "cell": group.cell,
        "method": group.method,
        "candidates": {candidate.id: candidate.parameters for candidate in group.candidates},
        "points": {candidate.id: candidate.point for candidate in group.candidates},
        "chosen": [_told(group, budget, *found, spent) for budget, found in chosen.items()],
        "runs": len(bench.rows) // max(1, len(group.rounds)),
    }
    write_parquet(runs, pd.DataFrame(bench.rows, columns=[*ABOUT, *TUNED_METRICS]), metadata)


def _select(
    bench: Bench, study: dict[str, Any], budgets: list[TunedBudget], spent: dict[str, dict[str, Array]]
) -> Scores:
    """The scores of those candidates that are left after all selection seeds."""
    group, longest = bench.group, bench.group.rounds[-1]
    left = [candidate.id for candidate in group.candidates if _may_be_chosen(candidate.id, budgets, spent)]
    for place, seed in enumerate(study["selection"]):
        bench.run("selection", seed, left, longest)
        scores = Scores(bench.errors(left), spent)
        say(f"{len(left)} candidates run on seed {seed}")
        if place < len(study["keep"]):
            kept = survivors(scores, budgets, group.averages, study["keep"][place])
            left = [setting for setting in left if setting in kept]
    return Scores(bench.errors(left), spent)


def _may_be_chosen(setting: str, budgets: list[TunedBudget], spent: dict[str, dict[str, Array]]) -> bool:
    """Whether some budget allows some number of rounds."""
    return any(spent[budget.neighbours][setting].min() <= budget.epsilon for budget in budgets)


def _told(
    group: Group, budget: TunedBudget, error: float, reading: Reading, spent: dict[str, dict[str, Array]]
) -> dict[str, Any]:
    return {
        **budget._asdict(),
        "setting": reading.setting,
        "rounds": group.rounds[reading.place],
        "averaged": reading.averaged,
        "spent": float(spent[budget.neighbours][reading.setting][reading.place]),
        "selection_error": error,
    }
