"""Write the verdict on each claim of the paper, as a page, as JSON and as a figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, read_metadata, write_json, write_text
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_current
from radmm.privacy.guarantee import ASSUMED
from radmm.results.claims.bodies_of_evidence import Body, replicated_body, reports
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.evidence import Evidence, Runs
from radmm.results.claims.page import as_markdown
from radmm.results.claims.verdict import Criteria, judge, over_runs
from radmm.results.claims.verdicts_json import as_json
from radmm.results.epsilon_conditions import conditions
from radmm.results.figures.claims import draw
from radmm.results.figures.files import save
from radmm.results.figures.style import use_style
from radmm.study.entries import Entry


def claims(
    experiments: Mapping[str, Sequence[Entry]],
    criteria: Criteria,
    replications: Sequence[JsonObject],
    code: str,
    calibrations: Sequence[Path],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    markdown: Path,
    full: Path,
    pdf: Path,
    png: Path,
) -> None:
    """Judge every claim by replications, where there are any, and by the run at hand.

    Args:
        experiments: Entries of each experiment.
        replications: Last look of a replication of these experiments on each data set.
        code: Digest of the code that judges.
        calibrations: Files with the noise of settings with a budget.
        traces: Traces of all settings, in one folder; their ledgers are in a folder beside it.
        features: Features of the data sets of the settings.
        markdown: Output: the verdicts as a page to read.
        full: Output: the verdicts with all digits, as JSON.
        pdf: Output: all claims in a figure.
        png: Output: the figure as a picture.
    """
    judged = {name: calibrated(entries, calibrations) for name, entries in experiments.items()}
    folder, ledgers = traces[0].parent, ledger_path(traces[0]).parent
    every = [entry.setting for entries in judged.values() for entry in entries]
    require_current(every, folder, InputFiles.beside(features, networks))
    this_run = body_of_run(judged, criteria, folder, ledgers)
    found = reports(this_run, [replicated_body(look, this_run.data) for look in replications])
    settings = sorted({setting for verdict in this_run.verdicts.values() for setting in verdict.settings})
    stored = {setting: read_metadata(checked(folder / f"{setting}.parquet")) for setting in settings}
    provenance: JsonObject = {
        "settings": settings,
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code_of_traces": sorted({trace["code"] for trace in stored.values()}),
        "code": code,
        "assumed": " ".join([ASSUMED, *conditions(stored, ledgers)]),
    }
    write_json(full, as_json(found, criteria, provenance))
    write_text(markdown, as_markdown(found, criteria, provenance))
    use_style()
    save(draw(found), pdf, png, {"code": [code]}, [provenance["assumed"]])
    for report in found:
        say(f"{report.claim.name}: {report.verdict}")


def body_of_run(
    experiments: Mapping[str, list[Entry]], criteria: Criteria, traces: Path, ledgers: Path | None = None
) -> Body:
    """Return the verdicts by the run at hand, with its runs as units.

    Args:
        experiments: Entries of each experiment, with calibrated noise.
        traces: Folder of their traces.
        ledgers: Folder of their ledgers, without which no total ε is known.
    """
    read: dict[str, Runs] = {}
    verdicts = {}
    for claim in CLAIMS:
        evidence = Evidence(experiments, traces, ledgers, read)
        cases = over_runs(claim, evidence)
        verdicts[claim.name] = judge(claim, cases, criteria, evidence.missing, evidence.settings)
    data = next((entry.setting.data_name for entries in experiments.values() for entry in entries), "no data")
    return Body(data, "runs on one split and graph", verdicts)
