"""Write the verdict on each claim of the paper."""

from pathlib import Path

from radmm.base.store import checked, read_metadata, write_json, write_text
from radmm.jobs.currency import require_current
from radmm.jobs.digest import code_digest, read_known
from radmm.jobs.inputs import InputFiles
from radmm.jobs.plan import CODE, read_experiment, read_study
from radmm.jobs.steps.command import run, say
from radmm.privacy.guarantee import ASSUMED
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.evidence import Runs
from radmm.results.claims.report import as_json, as_markdown
from radmm.results.claims.verdict import judge
from radmm.results.conditions import conditions
from radmm.study.sets import JUDGED


def claims(
    plan: Path,
    calibrations: Path,
    traces: Path,
    ledgers: Path,
    data: Path,
    networks: Path,
    markdown: Path,
    full: Path,
) -> None:
    """Only the paper's experiments and cases are looked at, whatever others are called."""
    read_known(plan / CODE)
    named = [name for name, part in read_study(plan)["experiments"].items() if part["set"] in JUDGED]
    experiments = {name: read_experiment(plan, name, calibrations) for name in named}
    require_current((setting for each in experiments.values() for setting in each), traces, InputFiles(data, networks))
    read: dict[str, Runs] = {}
    verdicts = [judge(claim, experiments, traces, ledgers, read) for claim in CLAIMS]
    settings = sorted({setting for verdict in verdicts for setting in verdict.settings})
    stored = {setting: read_metadata(checked(traces / f"{setting}.parquet")) for setting in settings}
    provenance = {
        "settings": settings,
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code_of_traces": sorted({trace["code"] for trace in stored.values()}),
        "code": code_digest(__spec__.name),
        "assumed": " ".join([ASSUMED, *conditions(stored, ledgers)]),
    }
    write_json(full, as_json(verdicts, provenance))
    write_text(markdown, as_markdown(verdicts, provenance))
    for verdict in verdicts:
        say(f"{verdict.claim.name}: {verdict}")


if __name__ == "__main__":
    paths = ("plan", "calibrations", "traces", "ledgers", "data", "networks", "markdown", "full")
    run(claims, __doc__, **dict.fromkeys(paths, Path))
