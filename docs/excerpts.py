"""Put the present code between the marks in the pages of algorithms: what stands beside an equation is what runs."""

import ast
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "docs" / name for name in ("algorithms.md", "gradient_algorithms.md")]
MARKS = re.compile(r"(<!-- code (\S+) (\S+): begin -->\n).*?(<!-- code: end -->)", re.DOTALL)


def excerpt(path: Path, name: str) -> str:
    """Return the statements of a function or method, without its docstring.

    Args:
        path: File of the module.
        name: Name like `Recycled.step`.
    """
    text = path.read_text(encoding="utf-8")
    body = ast.parse(text).body
    for part in name.split("."):
        (found,) = (node for node in body if getattr(node, "name", None) == part)
        body = found.body
    statements = body[1:] if isinstance(body[0], ast.Expr) else body
    lines = text.splitlines()[statements[0].lineno - 1 : statements[-1].end_lineno]
    return textwrap.dedent("\n".join(lines))


def refreshed(text: str) -> str:
    """Return a page with the code between its marks as it is now."""
    return MARKS.sub(lambda mark: f"{mark[1]}```python\n{excerpt(ROOT / mark[2], mark[3])}\n```\n{mark[4]}", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
