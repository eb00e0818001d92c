"""The report as one file that needs no other and no network: the template with style, programs and data inside."""

import hashlib
import json
from pathlib import Path

from radmm.base.json_object import JsonObject

FOLDER = Path(__file__).parent
# The npm package plotly.js-basic-dist-min 4.1.1, whose licence (MIT) lies beside it.
PLOTLY, PLOTLY_HASH = "plotly-basic.min.js", "99784e3abfb07b142a15e521a439e6d9addceadb3f79553fd24c72774f0649ba"
PROGRAMS = (
    "data.js",
    "elements.js",
    "tables.js",
    "curves.js",
    "panel.js",
    "claims.js",
    "overview.js",
    "tuned.js",
    "replicated.js",
    "compare.js",
    "audit.js",
    "pages.js",
)  # in the order they build up


def page_digest() -> str:
    """Return a digest of all that the page is made of, apart from its data."""
    names = ("template.html", "style.css", PLOTLY, *PROGRAMS)
    return hashlib.sha256(b"".join((FOLDER / name).read_bytes() for name in names)).hexdigest()[:16]


def make_page(data: JsonObject) -> str:
    """Return the page as HTML.

    Args:
        data: What `gather` found; the page shows all its texts as text.
    """
    library = (FOLDER / PLOTLY).read_bytes()
    if hashlib.sha256(library).hexdigest() != PLOTLY_HASH:
        raise ValueError(f"{FOLDER / PLOTLY} is not the file that was shipped: install radmm again")
    programs = "\n".join(_read(name) for name in PROGRAMS)
    parts = {"style": _read("style.css"), "library": library.decode(), "program": programs, "data": as_script(data)}
    page = _read("template.html")
    for name, part in parts.items():  # the data last, so that nothing in them is taken for a place
        page = page.replace(f"{{{{{name}}}}}", part, 1)
    return page


def as_script(data: JsonObject) -> str:
    """Return JSON that no HTML parser can mistake for the end of a script, whatever a label says.

    Args:
        data: Finite numbers, texts, lists and dicts.
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
