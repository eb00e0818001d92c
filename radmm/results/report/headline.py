"""The report's headline: the test error that a total ε buys, what privacy costs, and which setting that is.

The setting is chosen by a rule that looks at no test row: of the settings of one task that spend at most the target,
the one of least mean training loss after its last iteration. Without noise the same rule chooses, among settings of the
same task. A task is the same rows, split, network and objective, so that like is compared with like; that of most
settings with noise is taken. Errors are those of the last iterate.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from radmm.base.json_object import JsonObject
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.results.report.display_names import PARAMETERS, TARGET, total_names

FRONTIER = "frontier"  # the kind of figure that is about budgets
LOSS, ERROR = "loss", "error_rate"


class SettingEnd(NamedTuple):
    """A setting of a page, with its last iteration.

    Args:
        setting: Id, label, grid point and task.
        end: Means over the runs after the last iteration.
    """

    setting: Mapping[str, Any]
    end: Mapping[str, Any]


def budget_page(pages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the page on which budgets are best compared: a frontier, or the one with the most settings with noise."""
    spending = [page for page in pages if _spending(page)]
    return max(spending, key=lambda page: (page["kind"].startswith(FRONTIER), len(_spending(page))), default=None)


def chosen(settings: Sequence[SettingEnd]) -> SettingEnd:
    """Return the setting of least mean training loss after its last iteration; no test row has a say.

    Args:
        settings: Settings of one task.
    """
    return min(settings, key=lambda each: each.end[LOSS])


def headline(page: Mapping[str, Any]) -> JsonObject:
    """Return experiment, setting and total of the headline, with its sentences and its conditions.

    Args:
        page: Page of an experiment that has settings with a total ε.
    """
    task, where = _most_used_task(page)
    spending, totals = [each for each in _spending(page) if each.setting["task"] == task], total_names()
    total = max(totals, key=lambda metric: sum(metric in each.end for each in spending))
    private = [each for each in spending if total in each.end]
    least = min(each.end[total] for each in private)
    best, end = chosen([each for each in private if each.end[total] <= max(TARGET, least)])
    plain = [each for each in _measured(page) if not each.setting["private"] and each.setting["task"] == task]
    at = f"at a total ε of at most {TARGET:g}" if least <= TARGET else f"at the smallest total ε = {rounded_up(least)}"
    terms = f"ε: {totals[total].terms}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}."
    rule = "Training loss chose the setting, test rows did not."
    return {
        "experiment": page["name"],
        "setting": best["id"],
        "total": total,
        "sentences": [
            f"In “{page['title']}”, {at}, {_called(best)} reaches a test error of {_percent(end)}{where}. "
            f"It spends {rounded_up(end[total])}.",
            f"{_touches(end)} {_cost(end, plain)}",
        ],
        "conditions": " ".join([terms, *page["caveats"], rule]),
    }


def _touches(end: Mapping[str, Any]) -> str:
    if end["K"] == end["T"]:
        return f"All {end['T']} iterations use the data."
    return f"{end['K']} of {end['T']} iterations use the data."


def _cost(end: Mapping[str, Any], plain: Sequence[SettingEnd]) -> str:
    if not plain:
        return "Nothing was run without noise there."
    free, free_end = chosen(plain)
    cost = 100 * (end[ERROR] - free_end[ERROR])
    return f"Without privacy, the test error is {_percent(free_end)}: {_called(free)}. Privacy costs {cost:.1f} points."


def _measured(page: Mapping[str, Any]) -> list[SettingEnd]:
    """Return the settings that have a training loss and a test error, each with its last iteration."""
    both = map(SettingEnd, page["settings"], page["ends"])
    return [each for each in both if LOSS in each.end and ERROR in each.end]


def _spending(page: Mapping[str, Any]) -> list[SettingEnd]:
    """Return those that have a total ε."""
    return [each for each in _measured(page) if total_names().keys() & each.end.keys()]


def _most_used_task(page: Mapping[str, Any]) -> tuple[str, str]:
    """Return the task of most settings with noise, and a phrase that names its split and network if there are others.

    The best of several splits would be best by luck, and losses of several objectives can't be compared.
    """
    spending = [each.setting for each in _spending(page)]
    task = Counter(each["task"] for each in spending).most_common(1)[0][0]
    own = next(each for each in spending if each["task"] == task)
    is_alone = len({each["task"] for each in spending}) == 1
    return task, "" if is_alone else f" on the split {own['split']} and the network {own['network']}"


def _percent(end: Mapping[str, Any]) -> str:
    spread = (end.get(f"{ERROR}_{edge}") for edge in ("min", "max"))
    low, high = ("" if value is None else f"{100 * value:.1f}" for value in spread)
    runs = f" ({low} to {high} % over {end['runs']} runs)" if low else ""
    return f"{100 * end[ERROR]:.1f} %{runs}"


def _called(setting: Mapping[str, Any]) -> str:
    point = ", ".join(f"{PARAMETERS.get(axis, axis)} = {value}" for axis, value in setting["point"].items())
    return f"{setting['label']} ({point})" if point else str(setting["label"])
