# The solver: a job works off a batch of settings, each of which has a trace, an id and a fate of its own.
#
# What traces wait for has priority 20 here and in data.smk, traces have 10, tables and claims 5 and all others none: what
# comes last is then short and runs side by side.

LOGS = Path(RESULTS, "logs")


onstart:
    for job in cancel_leftovers(Path.cwd()):
        begun = [name for kind in ("searches", "batches") for name in settings_of_job(LOGS / kind, job)]
        lost = " and ".join(begun) or "no setting"
        print(f"Cancelled Slurm job {job}, which an earlier run had left behind at {lost}", file=sys.stderr)
    try:
        for folder in (RESULTS, "data"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            with TemporaryFile(
                dir=folder
            ):  # Snakemake would answer a disk that is read-only with pages of its insides
                pass
            sweep(folder)
            settle_clock(Path(folder))
    except OSError as error:
        raise WorkflowError(f"The results can't be written: {os_error_text(error)}")


onsuccess:
    print(run_summary(Path(RESULTS)), file=sys.stderr)


onerror:
    print(all_progress(LOGS, BEGIN), file=sys.stderr)


# Noise for those settings that ask for a budget: each distinct search once, before what needs it is solved.
for batch in STUDY.search_batches.values():

    rule:
        name:
            f"calibrate_{batch.name}"
        input:
            data_for_searches(batch),
            # What it says follows from the data, so that it alone makes nothing outdated.
            partitions=ancient(partition_paths(settings_needing_data(batch))),
        output:
            found=[search_path(search) for search in batch.searches],
        log:
            f"<results>/logs/searches/{batch.name}.log",
        benchmark:
            f"<results>/benchmarks/searches/{batch.name}.tsv"
        priority: 20
        conda:
            "../envs/radmm.yaml"
        resources:
            runtime=lambda wildcards, attempt, batch=batch: attempt * batch.minutes_to_ask_for,
        params:
            code=searches_digest(batch),
            batch=Untracked(batch),
            cache=CACHE,
            setup=SETUP,
        message:
            f"Finding the noise for {len(batch.searches)} budgets (batch {batch.name})"
        script:
            "../scripts/calibrate.py"


rule calibrations:
    input:
        searches=lambda wildcards: searches_of(STUDY.searches(wildcards.experiment).values()),
    output:
        noise="<results>/calibrations/{experiment}.json",
    log:
        "<results>/logs/calibrations/{experiment}.log",
    benchmark:
        "<results>/benchmarks/calibrations/{experiment}.tsv"
    wildcard_constraints:
        experiment="|".join(STUDY.entries),
    priority: 20
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.jobs.calibrations"),
        digest=lambda wildcards: short_hash(STUDY.searches(wildcards.experiment)),
        settings=lambda wildcards: Untracked(STUDY.searches(wildcards.experiment)),
        setup=SETUP,
    message:
        "Listing the noise of the settings of {wildcards.experiment}"
    script:
        "../scripts/calibrations.py"


# A rule for each batch, as a rule's outputs must be known. Its parameters leave out which settings it has: one that comes
# to another batch is not solved again for that.
for batch in STUDY.batches.values():

    rule:
        name:
            f"traces_{batch.name}"
        input:
            searches=searches_of(batch.searches.values()),
            features=[features_path(batch.any_setting)],
            splits=paths_of(split_path, batch.settings.values()),
            networks=paths_of(network_path, batch.settings.values()),
            # Likewise; but all settings were checked when it was made.
            partitions=ancient(partition_paths(batch.settings.values())),
        output:
            traces=[trace_path(setting) for setting in batch.settings],
            ledgers=[ledger_path(setting) for setting, each in batch.settings.items() if each.noise is not None],
        log:
            f"<results>/logs/batches/{batch.name}.log",
        benchmark:
            f"<results>/benchmarks/batches/{batch.name}.tsv"
        priority: 10
        conda:
            "../envs/radmm.yaml"
        threads: STUDY.config.batches.threads
        resources:
            **STUDY.config.batches.mpi_resources,
            mem_mb=lambda wildcards, attempt, batch=batch: attempt
            * batch.megabytes_by_ranks(STUDY.config.batches.ranks),
            runtime=lambda wildcards, attempt, batch=batch: attempt * batch.minutes_to_ask_for,
        params:
            code=batch_digest(batch),
            batch=Untracked(batch),
            cache=CACHE,
            setup=SETUP,
        message:
            f"Running {description(batch)}"
        script:
            "../scripts/traces.py"


rule traces:
    input:
        traces_of(*MAIN, *CASES),
        ledgers_of(*MAIN, *CASES),
    message:
        "The traces are there"


rule settings:
    input:
        calibrations=calibrations_of(*STUDY.experiments),
        partitions=partition_paths(settings_of(*STUDY.experiments)),
    output:
        table="<results>/settings.parquet",
    log:
        "<results>/logs/settings.log",
    benchmark:
        "<results>/benchmarks/settings.tsv"
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.jobs.steps.settings", *STUDY.components()),
        study=STUDY.digest(*STUDY.experiments),
        experiments=Untracked(STUDY.experiments),
        setup=SETUP,
    message:
        "Writing the table of settings"
    script:
        "../scripts/settings.py"
