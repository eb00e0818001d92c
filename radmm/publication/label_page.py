"""The privacy label as a page to read, in Markdown."""

from collections.abc import Iterable

from radmm.base.json_object import JsonObject
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.relation import Neighbours

OTHER = {Neighbours.REPLACE: "any others", Neighbours.ZERO_OUT: "rows of zeros"}
PAGE = """\
# Privacy label

**Promise.** The classifier beside this page is (ε, δ)-differentially private with ε = {epsilon} and δ = {delta:g}.
Whatever test anyone runs on it says yes with at most e^ε times the probability, plus δ, that it would have if one
person's rows were {other}.

| | |
|---|---|
| Privacy loss | ε = {epsilon}, δ = {delta:g}; ρ = {rho} of zero-concentrated differential privacy, at node {node} |
| Unit of privacy | {unit} |
| Adversary | {adversary} |
| Trust model | {trust} |
| Algorithm | {algorithm} |

## Why it holds

{proof}

{answers}

## What it assumes

{assumptions}

## What is not protected

{not_protected}

## How it was made

{recipe}

Software: {software}. The sections follow NIST SP 800-226; the same label is in the file as JSON.
"""


def label_page(label: JsonObject) -> str:
    """Return the page of a label."""
    loss, algorithm = label["privacy_loss"], label["algorithm"]
    return PAGE.format(
        epsilon=rounded_up(loss["epsilon"]),
        delta=loss["delta"],
        rho=rounded_up(float(loss["rho"])),
        node=loss["node"],
        other=OTHER[Neighbours(label["unit_of_privacy"]["neighbours"])],
        unit=label["unit_of_privacy"]["text"],
        adversary=label["adversary"],
        trust=label["trust_model"],
        algorithm=algorithm["name"],
        proof=_numbered(algorithm["proof"]),
        answers=_answers(algorithm["answers"]),
        assumptions=_listed(label["assumptions"]),
        not_protected=_listed(label["not_protected"]),
        recipe=_listed(f"{name}: `{value}`" for name, value in label["recipe"].items()),
        software=", ".join(f"{name} {version}" for name, version in label["software"].items()),
    )


def _answers(kinds: list[JsonObject]) -> str:
    rows = [
        f"| {', '.join(map(str, kind['nodes']))} | {each['count']} | {each['sensitivity']} | {each['sigma']} |"
        for kind in kinds
        for each in kind["answers"]
    ]
    head = ["| nodes | answers | sensitivity Δ | noise σ |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, "", "Both are in steps of the grid; ρ is the sum of Δ²/2σ² over a node's answers."])


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, start=1))
