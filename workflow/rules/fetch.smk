# Tables on the web: they are fetched by a target of their own, as settings can't be checked without them.

UNFETCHED = [table for table in TABLES if not all(path.is_file() for path in table.paths(Path("data/raw")))]
if UNFETCHED and workflow.is_main_process and not any(word.endswith("fetch") for word in sys.argv):
    wanted = ", ".join(table.file for table in UNFETCHED)
    configs = "".join(f" --configfile {file}" for file in workflow.config_settings.configfiles)
    raise WorkflowError(f"data.file = {wanted}: must be fetched first, by `snakemake{configs} -- fetch`")


for table in TABLES:
    for file, digest in table.files.items():

        rule:
            name:
                f"fetch_{digest[:12]}"
            output:
                table=f"data/raw/{file}",
            log:
                f"<results>/logs/fetch/{file}.log",
            benchmark:
                f"<results>/benchmarks/fetch/{file}.tsv"
            localrule: True
            conda:
                "../envs/radmm.yaml"
            params:
                address=table.file,
                sha256=digest,
            message:
                f"Fetching {table.file}"
            shell:
                "python -m radmm.jobs.steps.fetch --address {params.address:q} --sha256 {params.sha256}"
                " --table {output.table:q} 2> {log:q}"


rule fetch:
    input:
        [f"data/raw/{file}" for table in TABLES for file in table.files],
    message:
        "All tables on the web are there"
