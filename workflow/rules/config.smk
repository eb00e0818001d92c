# The config, read and checked once, and what all rules and jobs need of their surroundings.

import sys
from importlib.util import find_spec
from os import environ, pathsep
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import SharedFSUsage

# Jobs use the radmm beside this workflow, compiled parts and all. Where the sources were brought to a machine without
# these, one that is installed there is better.
ROOT = Path(str(workflow.current_basedir.get_path_or_uri(secret_free=True))).parent.parent
if SharedFSUsage.SOURCES in workflow.storage_settings.shared_fs_usage or find_spec("radmm") is None:
    sys.path.insert(0, str(ROOT))
    environ["PYTHONPATH"] = pathsep.join(filter(None, [str(ROOT), environ.get("PYTHONPATH")]))
environ["PATH"] = pathsep.join([str(Path(sys.executable).parent), environ["PATH"]])  # the Python that runs Snakemake
environ["RADMM_FOLDER"] = str(ROOT)  # where profiles find their scripts
environ.pop("PYTHONDONTWRITEBYTECODE", None)  # some containers set it, and each job would compile all that it imports

from radmm.base.errors import InputError
from radmm.jobs.rule_names import MergedRules
from radmm.jobs.rule_parameters import JobSetup, Untracked
from radmm.study.web_tables import tables_on_the_web
from radmm.study.config_files import read_configs
from radmm.study.study_folder import study_folder
from radmm.study.validation import parse_config

logger.addFilter(MergedRules())


def read_config():
    """Read the config files by radmm's own rules.

    Snakemake's reader takes the last of two equal keys, and would merge sections of different laws.
    """
    if MODULE:
        return read_configs([Path(SHIPPED)], config if workflow.modifier.skip_configfile else {})
    files = [*workflow.configfiles[-1:], *workflow.config_settings.configfiles]
    return read_configs(map(Path, files), workflow.config_settings.config)


try:
    CONFIG = parse_config(read_config())
    TABLES = tables_on_the_web(CONFIG)
except InputError as error:
    raise WorkflowError(f"The configuration can't be used.\n{error}")

# <results> in the paths of rules; what studies share (data, networks, finished settings) has paths without it.
RESULTS = str(study_folder(CONFIG.name))


pathvars:
    results=RESULTS,


# The profile of one machine gives `cores`, also where --jobs or a cluster's profile by --profile was meant to.
jobs, cores = workflow.resource_settings.nodes, workflow.resource_settings.cores
if workflow.is_main_process and jobs and cores and jobs != cores and not {"--cores", "-c"} & set(sys.argv):
    print(
        f"At most {cores} cores are used, as workflow/profiles/default says: must be --cores {jobs} if you want {jobs},"
        " and on a cluster --workflow-profile in place of --profile",
        file=sys.stderr,
    )

SHARED_DISK = SharedFSUsage.INPUT_OUTPUT in workflow.storage_settings.shared_fs_usage
SETUP = JobSetup(tuple(CONFIG.plugins), SHARED_DISK)
