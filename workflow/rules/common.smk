# What the rules share: the checked study, and the paths that belong to a setting.

import atexit
import time
from shlex import quote
from tempfile import TemporaryFile

from radmm.algorithms.algorithm import ALGORITHMS
from radmm.base.store import sweep
from radmm.jobs.batches import Batch, SearchBatch, megabytes_to_ask_for, minutes_to_ask_for
from radmm.jobs.digest import code_digest
from radmm.jobs.disk_checks import disk_fault, protected, settle_clock
from radmm.jobs.estimates import table_megabytes
from radmm.jobs.forecast import Forecast
from radmm.jobs.input_files import InputFiles
from radmm.jobs.progress import all_progress, settings_of_job
from radmm.jobs.replication import planned_looks, usable_looks
from radmm.jobs.run_summary import run_summary
from radmm.jobs.slurm import cancel_leftovers
from radmm.jobs.steps.batch import batch_digest
from radmm.jobs.steps.calibrate import searches_digest
from radmm.jobs.steps.step_runner import os_error_text
from radmm.jobs.study import Study
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.noise import NOISES
from radmm.results.claims.verdict import Criteria
from radmm.results.report.page import page_digest
from radmm.study.component_json import canonical, named_to_json, short_hash, to_json
from radmm.study.experiment_sets import JUDGED, ExperimentSet

REPLICATION = Path(RESULTS, "replication")

if workflow.is_main_process and (reason := disk_fault(Path.cwd())):
    raise WorkflowError(reason)
if workflow.is_main_process and (reason := protected(Path.cwd())):
    print(reason, file=sys.stderr)  # before Snakemake's own pages, in which it lists the files

try:
    LOOKS = planned_looks(CONFIG, REPLICATION)
    STUDY = Study.of_config(CONFIG).with_looks({look.name: look.entries for look in LOOKS})
except InputError as error:
    raise WorkflowError(f"The configuration can't be used.\n{error}")
if workflow.is_main_process:
    for sentence in STUDY.suspicions:
        print(f"Suspicious: {sentence}", file=sys.stderr)

PAPER, STUDIES = STUDY.named(ExperimentSet.PAPER), STUDY.named(ExperimentSet.STUDY, ExperimentSet.CASE)
CASES = STUDY.named(*JUDGED)  # of the claims
MAIN = STUDY.named(ExperimentSet.PAPER, ExperimentSet.OWN)
CRITERIA = Criteria(CONFIG.claims.level, CONFIG.claims.margins.model_dump())  # by which intervals decide
GROUPS = {group.name: group for group in STUDY.groups}  # of tuned studies
INPUTS = InputFiles(Path("data"), Path("results/networks"))
WORKDIR = Path.cwd()
CACHE = "results/.resume"  # where jobs keep what they have finished; no rule's output, so that Snakemake lets it be
BEGIN = time.time()


def settings_of(*names):
    """Return the settings of experiments, tuned studies or their groups, and looks."""
    entries = STUDY.entries | STUDY.drawn
    return [entry.setting for name in names for entry in entries[name]]


def figures_of(experiments, formats=("pdf", "png"), folder="figures"):
    return [f"<results>/{folder}/{experiment}.{format}" for experiment in experiments for format in formats]


def sources_of(wildcards):
    """Return the files that a figure is drawn from: its table and, if its kind shows seconds, its timings."""
    folders = {"table": "tables", "timings": "timings"}
    wanted = STUDY.figure_kind(wildcards.experiment).sources
    return {source: f"<results>/{folders[source]}/{wildcards.experiment}.parquet" for source in wanted}


def networks_of(experiments):
    return sorted({setting.network_name for setting in settings_of(*experiments)})


def networks_to_draw():
    """Return the networks of the main experiments, and those that only studies use."""
    main = networks_of(MAIN)
    others = [name for name in networks_of(STUDIES) if name not in main]
    return {kind: names for kind, names in (("main", main), ("other", others)) if names}


def pictures_of_networks(experiments):
    return [f"<results>/networks/{name}.{format}" for name in networks_of(experiments) for format in ("pdf", "png")]


def rerun_command():
    """Return the command that runs Snakemake as it was called, as far as results depend on it."""
    configs = [f"--configfile {quote(str(path))}" for path in workflow.config_settings.configfiles]
    here = Path(sys.executable).parent
    own = f"{here.relative_to(WORKDIR)}/" if here.is_relative_to(WORKDIR) else ""  # which needs no activation
    return " ".join([f"{own}snakemake --cores all", *configs])


def split_path(setting):
    return str(INPUTS.paths(setting).split)


def network_path(setting):
    return str(INPUTS.paths(setting).network)


def features_path(setting):
    return str(INPUTS.paths(setting).features)


def paths_of(path, settings):
    """Return the files of one kind that settings need, each once."""
    return sorted({path(setting) for setting in settings})


def settings_needing_data(batch):
    """Return the settings of searches whose partitions need the data to tell how many rows a node has."""
    return [setting for search in batch.searches.values() for setting in search.needs_data]


def data_for_searches(batch):
    asking = settings_needing_data(batch)
    return [*paths_of(features_path, asking), *paths_of(split_path, asking)]


def search_path(search):
    return f"<results>/searches/{search}.json"


def searches_of(names):
    """Return the files of searches, each once."""
    return sorted({search_path(name) for name in names})


def partition_paths(settings, suffix="json"):
    """Return the files of partitions other than the even one; a rule that reads them waits until they are checked."""
    return [f"<results>/partitions/{name}.{suffix}" for name in STUDY.partitions_of(settings)]


def settings_with_partition(partition):
    """Return the ids of all settings that have a partition."""
    return sorted(setting.id for setting in STUDY.settings if setting.partition_name == partition)


def source_files(name):
    """Return the raw files that a data set is made of."""
    return list(STUDY.data_sets[name].files)


def local_copies(name):
    """Return the user's own copies of a data set's raw files, as JSON."""
    copies = STUDY.config.local_files
    return canonical({file: copies[file] for file in source_files(name) if file in copies})


def is_fetched(name):
    """Return whether the target `fetch` downloads the data set's files."""
    return any(table.files == STUDY.data_sets[name].files for table in TABLES)


def inputs_of_features(name):
    """Return the raw files; downloaded ones have known bytes, so only the user's own may be newer than the features."""
    paths = STUDY.data_sets[name].paths(Path("data/raw"))
    return [ancient(str(path)) if path.name in source_files(name) else str(path) for path in paths]


def topology_of(network):
    return type(STUDY.networks[network])


def calibrations_of(*experiments):
    """Return the files with the noise of settings that ask for a budget."""
    return [f"<results>/calibrations/{experiment}.json" for experiment in experiments if STUDY.searches(experiment)]


def trace_path(setting):
    return f"<results>/traces/{setting}.parquet"


def ledger_path(setting):
    return f"<results>/ledgers/{setting}.parquet"


def traces_of(*experiments):
    return list(dict.fromkeys(trace_path(setting.id) for setting in settings_of(*experiments)))


def ledgers_of(*experiments):
    """Return the ledgers of the experiments' settings with noise."""
    private = (setting for setting in settings_of(*experiments) if setting.noise is not None)
    return list(dict.fromkeys(ledger_path(setting.id) for setting in private))


def look_files(look):
    """Return the files of a look of a replication, effects and outcome; none if there is no such look."""
    return [f"<results>/replication/{look}.{suffix}" for suffix in ("parquet", "json")] if look else []


def features_of(*experiments):
    return paths_of(features_path, settings_of(*experiments))


def splits_of(*experiments):
    return paths_of(split_path, settings_of(*experiments))


def networks_for(*experiments):
    return paths_of(network_path, settings_of(*experiments))


def description(batch):
    """Return what a batch is, for the message of its job."""
    users = [name for name, entries in STUDY.entries.items() if any(each.id in batch.settings for each in entries)]
    algorithms = sorted({setting.algorithm.name for setting in batch.settings.values()})
    return f"{len(batch.settings)} settings of {', '.join(users)}: {', '.join(algorithms)} (batch {batch.name})"


def megabytes_for(attempt, *experiments):
    """Return the memory to request for a step that reads all traces of these experiments."""
    return attempt * megabytes_to_ask_for(table_megabytes(settings_of(*experiments)))


def minutes_for(attempt, *experiments):
    return attempt * minutes_to_ask_for(STUDY.table_seconds(*experiments))


def files_of_network(wildcards):
    """Return the files that a network is read from, if it is."""
    texts = (value for value in to_json(STUDY.networks[wildcards.network]).values() if isinstance(value, str))
    return [text for text in texts if Path(text).is_file()]


def tell_forecast():
    """Print what a run would do after a dry run; nothing if the dry run failed."""
    if not workflow.dryrun or workflow.dag is None:
        return
    needed = list(workflow.dag.needrun_jobs(exclude_finished=False))
    anew = {WORKDIR / path for job in needed for path in workflow.dag.reason(job).updated_input_run}
    inputs = InputFiles(WORKDIR / INPUTS.data, WORKDIR / INPUTS.networks)
    told = Forecast(WORKDIR / CACHE, inputs, anew, workflow.resource_settings.cores or 1)
    batches = [job.params.batch.value for job in needed if "batch" in job.params.keys()]
    searched = told.searched(batch for batch in batches if isinstance(batch, SearchBatch))
    if searched:
        print(told.of_searches(searched), file=sys.stderr)
    print(told.of_settings([batch for batch in batches if isinstance(batch, Batch)], searched), file=sys.stderr)
    tables = [job.wildcards.experiment for job in needed if "capped" in job.params.keys()]
    print(*told.of_tables(STUDY, tables), sep="\n", end="\n" * bool(tables), file=sys.stderr)


if workflow.is_main_process:
    atexit.register(tell_forecast)  # Snakemake calls nothing when a dry run ends


def pages_of_tuned(study):
    return [f"<results>/tables/{study}.parquet", f"<results>/figures/{study}.svg"]


def tuned_files(study):
    page = STUDY.tuned[study].page or study
    return [f"<results>/{page}.md", f"<results>/tables/{study}.csv", f"<results>/figures/{study}.pdf"]


wildcard_constraints:
    source="|".join(STUDY.data_sets),
    split="|".join(STUDY.splits),
    network="|".join(STUDY.networks),
    partition="|".join(STUDY.partitions) or "none",
    experiment="|".join(STUDY.experiments),
    group="|".join(GROUPS) or "none",
