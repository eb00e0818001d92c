"""How Sphinx makes the site; `docs/pages.py` prepares its pages and calls it."""

import radmm

project = "radmm"
copyright = "The radmm authors; MIT licence"  # noqa: A001
version = release = radmm.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_heading_anchors = 4  # by the rule of GitHub, where the same pages are read too
myst_enable_extensions = ["attrs_block"]
default_role = "literal"  # docstrings write `names` as Markdown does

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autoclass_content = "class"
napoleon_google_docstring = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = "radmm"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["pages.css"]
html_css_files = ["pages.css"]
