"""Captions of figures: what its kind has to say, and what a run with noise spends, for which neighbours and on which
conditions. They stand beside a figure in the report and the documents, and in its file's metadata."""

from __future__ import annotations

from collections.abc import Sequence

from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.setting_parameters import is_private

MOST_NUMBERS = 4  # numbers that a caption lists one by one
PRINTED_DELTA = 1e-5  # that of the tables (`results.tables.DELTA`), in whose metrics' names it stands
EXACT = "Losses and errors are exact, and covered by no ε."
SHIFT = {  # the default accountant's metrics, of which a table has one: its cap where curves would take too long
    f"epsilon_shift_delta_{PRINTED_DELTA:g}": "the shift accountant",
    f"epsilon_shift-cap_delta_{PRINTED_DELTA:g}": "the shift accountant's cap",
}


def caption(kind: FigureKind, material: Material, caveats: Sequence[str]) -> list[str]:
    """Return the sentences of a figure's caption.

    Args:
        kind: The figure kind with its options.
        caveats: Conditions of its ε.
    """
    told = spent(material)
    return [*kind.caption(material), *told, *caveats, *([EXACT] if told else [])]


def spent(material: Material) -> list[str]:
    """Return the total ε of the settings with noise, in a sentence; none if there is no noise."""
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
