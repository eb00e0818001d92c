"""Write the verdict on each claim of the paper."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.store import checked, read_metadata, write_json, write_text
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_current
from radmm.privacy.guarantee import ASSUMED
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.evidence import Runs
from radmm.results.claims.report import as_json, as_markdown
from radmm.results.claims.verdict import judge
from radmm.results.epsilon_conditions import conditions
from radmm.study.entries import Entry


def claims(
    experiments: Mapping[str, Sequence[Entry]],
    code: str,
    calibrations: Sequence[Path],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    markdown: Path,
    full: Path,
) -> None:
    """Judge every claim by the paper's experiments and further cases.

    Args:
        experiments: Entries of each experiment.
        code: Digest of the code that judges.
        calibrations: Files with the noise of settings with a budget.
        traces: Traces of all settings, in one folder; their ledgers are in a folder beside it.
        features: Features of the data sets of the settings.
        networks: Networks of the settings.
        markdown: Output: the verdicts as a page to read.
        full: Output: the verdicts with all digits, as JSON.
    """
    judged = {name: calibrated(entries, calibrations) for name, entries in experiments.items()}
    folder, ledgers = traces[0].parent, ledger_path(traces[0]).parent
    every = (entry.setting for entries in judged.values() for entry in entries)
    require_current(every, folder, InputFiles.beside(features, networks))
    read: dict[str, Runs] = {}
    verdicts = [judge(claim, judged, folder, ledgers, read) for claim in CLAIMS]
    settings = sorted({setting for verdict in verdicts for setting in verdict.settings})
    stored = {setting: read_metadata(checked(folder / f"{setting}.parquet")) for setting in settings}
    provenance = {
        "settings": settings,
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code_of_traces": sorted({trace["code"] for trace in stored.values()}),
        "code": code,
        "assumed": " ".join([ASSUMED, *conditions(stored, ledgers)]),
    }
    write_json(full, as_json(verdicts, provenance))
    write_text(markdown, as_markdown(verdicts, provenance))
    for verdict in verdicts:
        say(f"{verdict.claim.name}: {verdict}")
