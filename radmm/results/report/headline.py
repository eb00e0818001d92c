"""The report's headline: the test error that a total ε buys, and what privacy costs.

The setting is chosen by a rule that looks at no test row: of the settings of one task that spend at most the target,
the one of least mean training loss after its last iteration. Without noise the same rule chooses, among settings of the
same task. A task is the same rows, split, network and objective, so that like is compared with like; that of most
settings with noise is taken. Errors are those of the last iterate.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.results.report.display_names import PARAMETERS, budgets

TARGET = 1.0  # the total ε that the headline is about
FRONTIER = "frontier"  # the kind of figure that is about budgets
LOSS, ERROR = "loss", "error_rate"

SettingEnd = tuple[Mapping[str, Any], Mapping[str, Any]]  # a setting of a page, with its last iteration


def budget_page(pages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the page on which budgets are best compared: a frontier, or the one with the most settings with noise.

    Args:
        pages: Pages of the experiments.
    """
    spending = [page for page in pages if _spending(page)]
    return max(spending, key=lambda page: (page["kind"].startswith(FRONTIER), len(_spending(page))), default=None)


def chosen(settings: Sequence[SettingEnd]) -> SettingEnd:
    """Return the setting of least mean training loss after its last iteration; no test row has a say.

    Args:
        settings: Settings of one task.
    """
    return min(settings, key=lambda pair: pair[1][LOSS])


def price_sentences(page: Mapping[str, Any]) -> list[str]:
    """Return sentences on the test error within the target and on what privacy costs there.

    Args:
        page: Page of an experiment that has settings with a total ε.
    """
    task, where = _most_used_task(page)
    spending, totals = [pair for pair in _spending(page) if pair[0]["task"] == task], budgets()
    total = max(totals, key=lambda metric: sum(metric in end for _, end in spending))
    private = [(each, end) for each, end in spending if total in end]
    least = min(end[total] for _, end in private)
    limit = max(TARGET, least)
    best, end = chosen([pair for pair in private if pair[1][total] <= limit])
    at = f"at most {limit:g}" if least <= TARGET else f"{rounded_up(least)}, the smallest that was run"
    terms = f"{totals[total].terms}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}"
    said = " ".join(
        [
            f"At a total ε of {at} ({terms}), the setting of least training loss in {page['name']}{where}, "
            f"{_called(best)}, has a mean test error of {_percent(end)} and spends {rounded_up(end[total])}.",
            *page["caveats"],
        ]
    )
    return [said, _cost(end, [pair for pair in _measured(page) if not pair[0]["private"] and pair[0]["task"] == task])]


def _cost(end: Mapping[str, Any], plain: Sequence[SettingEnd]) -> str:
    touched = f"It touches the data at {end['K']} of {end['T']} iterations"
    if not plain:
        return f"{touched}; nothing was run without noise there."
    free, free_end = chosen(plain)
    return (
        f"{touched}; without noise the same rule chooses {_called(free)}, which has {_percent(free_end)}, so that "
        f"privacy costs {100 * (end[ERROR] - free_end[ERROR]):.1f} percentage points."
    )


def _measured(page: Mapping[str, Any]) -> list[SettingEnd]:
    """Return the settings that have a training loss and a test error, each with its last iteration."""
    both = zip(page["settings"], page["ends"], strict=True)
    return [(each, end) for each, end in both if LOSS in end and ERROR in end]


def _spending(page: Mapping[str, Any]) -> list[SettingEnd]:
    """Return those that have a total ε."""
    return [(each, end) for each, end in _measured(page) if budgets().keys() & end.keys()]


def _most_used_task(page: Mapping[str, Any]) -> tuple[str, str]:
    """Return the task of most settings with noise, and a phrase that names its split and network if there are others.

    The best of several splits would be best by luck, and losses of several objectives can't be compared.
    """
    spending = [each for each, _ in _spending(page)]
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
