"""How Sphinx makes the site; `docs/pages.py` prepares its pages and calls it."""

from typing import Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

import radmm

project = "radmm"
copyright = "The radmm authors; MIT licence"  # noqa: A001
version = release = radmm.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_heading_anchors = 4  # by the rule of GitHub, where the same pages are read too
myst_enable_extensions = ["attrs_block", "dollarmath"]  # formulas are written as for GitHub: $…$ and ```math
myst_fence_as_directive = ["math"]
default_role = "literal"  # docstrings write `names` as Markdown does

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autoclass_content = "class"
napoleon_google_docstring = True
napoleon_use_rtype = False

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "radmm"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["pages.css"]
html_css_files = ["pages.css"]


def write_inline(writer: Any, node: Any) -> None:
    """Write a formula within a sentence as MathML, which browsers show without a script."""
    writer.body.append(convert(node.astext(), display="inline"))
    raise SkipNode


def write_block(writer: Any, node: Any) -> None:
    """Write a formula of its own line as MathML."""
    writer.body.append(convert(node.astext(), display="block"))
    raise SkipNode


def setup(app: Any) -> None:
    """Register the renderer of formulas."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
