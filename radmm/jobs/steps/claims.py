"""Write the verdict on each claim of the paper."""

import json
from pathlib import Path
from typing import Any

from radmm.base.store import read_metadata, write_json, write_text
from radmm.jobs.digest import code_digest
from radmm.jobs.steps.command import run, say
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.report import as_json, as_markdown
from radmm.results.claims.verdict import judge
from radmm.study.resolution import resolve


def claims(config: dict[str, Any], traces: Path, markdown: Path, full: Path) -> None:
    """The config holds the paper's experiments, not the studies beyond it."""
    experiments = resolve(config)
    verdicts = [judge(claim, experiments, traces) for claim in CLAIMS]
    settings = sorted({setting for verdict in verdicts for setting in verdict.settings})
    stored = [read_metadata(traces / f"{setting}.parquet") for setting in settings]
    provenance = {
        "settings": settings,
        "data": sorted({trace["hashes"]["data"] for trace in stored}),
        "code_of_traces": sorted({trace["code"] for trace in stored}),
        "code": code_digest(__spec__.name),
    }
    write_json(full, as_json(verdicts, provenance))
    write_text(markdown, as_markdown(verdicts, provenance))
    for verdict in verdicts:
        say(f"{verdict.claim.name}: {verdict}")


if __name__ == "__main__":
    run(claims, __doc__, config=json.loads, traces=Path, markdown=Path, full=Path)
