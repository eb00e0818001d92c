"""Make the site: the pages of docs/ and those that live elsewhere, the API, and Sphinx over all of it, strictly.

The same files are read in the repository, so links are written for it: `../config/README.md` is the file there, and the
page `config.md` here. A file that is no page is copied beside them. A link or an anchor that leads nowhere is an error.
"""

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
import radmm.sklearn  # noqa: E402

ELSEWHERE = {
    "index.md": "README.md",
    "config.md": "config/README.md",
    "config_reference.md": "config/reference.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "examples.md": "examples/README.md",
}
CONTENTS = {  # caption, then page and title
    "Results": {
        "index": "Overview",
        "reproduction": "Reproduction",
        "reproduction/fig1a": "Figure 1(a)",
        "reproduction/fig1b": "Figure 1(b)",
        "reproduction/fig1c": "Figure 1(c)",
        "reproduction/fig2": "Figure 2",
        "reproduction/fig3": "Figure 3",
        "reproduction/fig4": "Figure 4",
        "reproduction/fig5": "Figure 5",
        "reproduction/fig5_per_node": "Figure 5, nodes that differ",
        "reproduction/beyond": "Beyond the paper",
        "frontier": "Frontier",
        "gallery": "Gallery",
    },
    "Use": {
        "running": "Running",
        "studies": "Studies",
        "data": "Data sets",
        "own_data": "Your own data",
        "config": "Configuration",
        "config_reference": "Configuration reference",
        "examples": "Examples",
        "command_line": "Command line",
        "release": "Publication",
        "estimator": "scikit-learn estimator",
        "cluster": "Clusters",
        "cloud": "Cloud",
        "faq": "FAQ and troubleshooting",
    },
    "Understand": {
        "privacy": "Privacy",
        "accountants": "Accountants",
        "audit": "Audit",
        "proofs": "Proofs",
        "algorithms": "Algorithms",
        "gradient_algorithms": "Gradient and one-shot algorithms",
        "paper_to_code": "Paper-to-code map",
        "tutorial": "Tutorial: a new algorithm",
        "scope": "Scope",
        "related_work": "Related work",
    },
    "Reference": {
        "glossary": "Glossary",
        "formats": "File formats",
        "api": "Python API",
        "architecture": "Architecture",
        "performance": "Performance",
        "performance_details": "Performance details",
        "reliability": "Reliability",
        "contributing": "Contributing",
        "security": "Security",
        "changelog": "Changelog",
    },
}
ROOMS = {  # of public names
    "Solve": ("driver", "result", "outcome", "base"),
    "Model": ("model",),
    "Algorithms": ("algorithms",),
    "Privacy": ("budget", "privacy", "publication"),
    "Data, metrics and figures of your own": ("data", "metrics", "results"),
}
SKLEARN_S_OWN = "set_score_request"  # whose docstring has links into scikit-learn's site
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)")


def prepare(folder: Path) -> None:
    """Put all pages, with their links as they are in the site, and what they show or link to, into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "figures", folder / "figures")
    own = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    origins = {page: f"docs/{page}" for page in own} | ELSEWHERE
    for page, origin in origins.items():
        text = (ROOT / origin).read_text(encoding="utf-8")
        for target in LINK.findall(text):
            _copy(_in_repository(origin, target), folder)
        above = posixpath.dirname(page) or "."
        linked = LINK.sub(
            lambda match, origin=origin, above=above: posixpath.relpath(
                _in_site(_in_repository(origin, match[1])), above
            ),
            text,
        )
        (folder / page).parent.mkdir(exist_ok=True)
        (folder / page).write_text(linked + (contents() if page == "index.md" else ""), encoding="utf-8")
    (folder / "api.md").write_text(api(), encoding="utf-8")


def _in_repository(origin: str, target: str) -> str:
    """Return where a link leads, as a path from the repository's root."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))


def _in_site(path: str) -> str:
    """Return where a file of the repository is in the site: a page, or a file below `files`."""
    pages = {origin: page for page, origin in ELSEWHERE.items()}
    return pages.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}")


def _copy(path: str, folder: Path) -> None:
    """Copy a linked file that is no page; Sphinx complains of one that is missing."""
    target = folder / _in_site(path)
    if (ROOT / path).is_file() and target.suffix != ".md":
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)


def contents() -> str:
    """Return the table of contents, which ends the first page."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
        + "\n".join(f"{title} <{'self' if page == 'index' else page}>" for page, title in pages.items())
        + "\n```\n"
        for caption, pages in CONTENTS.items()
    )


def api() -> str:
    """Return the page of all public names, by kind."""
    rooms = {name: getattr(radmm, name).__module__.split(".")[1] for name in radmm.__all__}
    parts = ["# Python API\n\nWhat `import radmm` offers, from the docstrings.\n"]
    for kind, chosen in ROOMS.items():
        parts.append(f"\n## {kind}\n")
        for name in sorted((name for name, room in rooms.items() if room in chosen), key=str.lower):
            what = "class" if isinstance(getattr(radmm, name), type) else "function"
            members = "   :members:\n" if what == "class" else ""
            parts.append(f"\n```{{eval-rst}}\n.. auto{what}:: radmm.{name}\n{members}```\n")
    parts.append("\n## scikit-learn (`radmm.sklearn`)\n")
    members = f"   :members:\n   :exclude-members: {SKLEARN_S_OWN}\n"
    for name in radmm.sklearn.__all__:
        parts += [f"\n```{{eval-rst}}\n.. autoclass:: radmm.sklearn.{name}\n", members, "```\n"]
    return "".join(parts)


def build(folder: Path) -> int:
    """Build the site in a folder and return Sphinx's exit code, which is 0 if nothing is wrong.

    Args:
        folder: Folder for the prepared pages (`pages`) and the site (`site`).
    """
    prepare(folder / "pages")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--fresh-env", "--builder", "html"]
    options += ["--conf-dir", str(ROOT / "docs"), str(folder / "pages"), str(folder / "site")]
    return subprocess.run([sys.executable, "-m", "sphinx", *options], check=False).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "docs")
    sys.exit(build(parser.parse_args().folder))
