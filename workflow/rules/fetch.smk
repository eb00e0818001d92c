# Tables on the web: they are fetched by a target of their own, as the config can't be read without them.

import sys
from os import environ, pathsep
from pathlib import Path

from snakemake.exceptions import WorkflowError

# Whether Snakemake was given the Snakefile at the top or the one in workflow/, which includes it
PLACES = [Path(workflow.basedir), Path(workflow.basedir).parent]
ROOT = next(folder for folder in PLACES if (folder / "config" / "config.yaml").is_file())
sys.path.insert(0, str(ROOT))

# Jobs run the Python that runs Snakemake (a conda environment, if asked for, still comes first) and this radmm.
environ["PATH"] = pathsep.join([str(Path(sys.executable).parent), environ["PATH"]])
environ.pop("PYTHONDONTWRITEBYTECODE", None)  # some containers set it, and each job would compile all that it imports
environ["RADMM_FOLDER"] = str(ROOT)  # where profiles find their scripts
environ["PYTHONPATH"] = pathsep.join([str(ROOT), environ.get("PYTHONPATH", "")]).rstrip(pathsep)

from radmm.base.errors import InputError
from radmm.study.fetching import tables_on_the_web

try:
    TABLES = tables_on_the_web(config)
except InputError as error:
    raise WorkflowError(f"The configuration can't be used.\n{error}")

UNFETCHED = [table for table in TABLES if not all(path.is_file() for path in table.paths(Path("data/raw")))]
if UNFETCHED and workflow.is_main_process and "fetch" not in sys.argv:
    wanted = ", ".join(table.file for table in UNFETCHED)
    raise WorkflowError(f"data.file = {wanted}: must be fetched first, by `snakemake fetch`")


for table in TABLES:
    for file, digest in table.files.items():

        rule:
            name:
                f"fetch_{digest[:12]}"
            output:
                f"data/raw/{file}",
            log:
                f"results/logs/fetch/{file}.log",
            benchmark:
                f"results/benchmarks/fetch/{file}.tsv"
            localrule: True
            conda:
                "../../environment.yml"
            params:
                address=table.file,
                sha256=digest,
            message:
                f"Fetching {table.file}"
            shell:
                "python -m radmm.jobs.steps.fetch --address {params.address:q} --sha256 {params.sha256}"
                " --output {output:q} 2>&1 | tee {log:q}"


rule fetch:
    input:
        [f"data/raw/{file}" for table in TABLES for file in table.files],
    message:
        "All tables on the web are there"
