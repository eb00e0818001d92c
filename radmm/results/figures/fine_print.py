"""The fine print below a figure: what a run with noise spends in total, for which neighbours, and its conditions."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.figures.figure import Material
from radmm.results.figures.setting_parameters import is_private

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # `radmm table` needs the sentences, and no Matplotlib

LETTERS = 20  # in an inch of the smallest text
MOST_NUMBERS = 4  # that are told one by one
PRINTED_DELTA = 1e-5  # that of the tables (`results.tables.DELTA`), in whose metrics' names it stands
EXACT = "Losses and errors are exact, and covered by no ε."
SHIFT = {  # the default accountant's metrics, of which a table has one: its cap where curves would take too long
    f"epsilon_shift_delta_{PRINTED_DELTA:g}": "the shift accountant",
    f"epsilon_shift-cap_delta_{PRINTED_DELTA:g}": "the shift accountant's cap",
}


def fine_print(figure: Figure, material: Material, caveats: Sequence[str]) -> list[str]:
    """Write the fine print below a figure's own text, and return its sentences.

    Args:
        figure: Figure that is already drawn.
        material: Table and parameters of an experiment.
        caveats: Conditions of its ε.
    """
    width = int(LETTERS * figure.get_figwidth())
    told = spent(material)
    said = [*told, *caveats, *([EXACT] if told else [])]
    lines = [line for sentence in said for line in wrap(sentence, width)]
    if lines:
        figure.supxlabel("\n".join([*filter(None, [figure.get_supxlabel()]), *lines]), fontsize="x-small")
    return said


def spent(material: Material) -> list[str]:
    """Return the total ε of the settings with noise, in a sentence; none if there is no noise.

    Args:
        material: Table and parameters of an experiment.
    """
    private = [name for name, parameters in material.parameters.items() if is_private(parameters)]
    totals = material.table[material.table["metric"].isin(SHIFT) & material.table["setting"].isin(private)]
    if not private:
        return []
    whose = SHIFT[totals["metric"].iloc[0] if len(totals) else next(iter(SHIFT))]
    terms = f"for {REPLACE_ONE}, at δ = {PRINTED_DELTA:g} by {whose}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}"
    if totals.empty:
        return [f"No total ε is known: {whose} has no proof for these releases."]
    known = totals.drop_duplicates("setting")
    numbers = list(dict.fromkeys(rounded_up(epsilon) for epsilon in sorted(known["mean"])))
    told = ", ".join(numbers) if len(numbers) <= MOST_NUMBERS else f"{numbers[0]} to {numbers[-1]}"
    unknown = len(private) - len(known)
    those = "one setting has" if unknown == 1 else f"{unknown} settings have"
    rest = f" ({those} no such bound)" if unknown else ""
    return [f"Total ε of one run with noise: {told}{rest}, {terms}."]
