"""Markdown, as pages and documents are written."""

from collections.abc import Sequence


def markdown_row(cells: Sequence[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"
