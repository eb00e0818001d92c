# The solver: a job works off a batch of settings, each of which has a trace, an id and a fate of its own.
#
# What traces wait for has priority 20 here and in data.smk, traces have 10, tables and claims 5 and all others none: what
# comes last is then short and runs side by side.


onstart:
    for job in cancel_leftovers(Path.cwd()):
        lost = " and ".join(settings_of_job(Path.cwd(), job)) or "no setting"
        print(f"Cancelled Slurm job {job}, which an earlier run had left behind at {lost}", file=sys.stderr)
    try:
        for folder in ("results", "data"):
            sweep(folder)
            settle_clock(Path(folder))
        STUDY.write(PLAN, planned_batches())
    except OSError as error:
        raise WorkflowError(f"The results can't be written: {told(error)}")


onerror:
    found = progress(Path.cwd(), over=True)
    print(found, found.failures(), sep="\n", file=sys.stderr)


# Noise for those settings that ask for a budget: found before anything is solved, and stored beside what was asked.
rule calibrate:
    input:
        lambda wildcards: data_for_budgets(wildcards.experiment),
        # What it says follows from the data, so that it alone makes nothing outdated.
        lambda wildcards: ancient(partition_paths(STUDY.needs_data(wildcards.experiment))),
    output:
        "results/calibrations/{experiment}.json",
    log:
        "results/logs/calibrations/{experiment}.log",
    benchmark:
        "results/benchmarks/calibrations/{experiment}.tsv"
    priority: 20
    conda:
        "../../environment.yml"
    resources:
        runtime=lambda wildcards, attempt: attempt
        * minutes_to_ask_for(calibration_seconds(len(STUDY.budgets(wildcards.experiment)))),
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.calibrate", *STUDY.used_by_budgets(wildcards.experiment)),
        budgets=lambda wildcards: STUDY.digest_of_budgets(wildcards.experiment),
        plan=READS_PLAN,
    message:
        "Finding the noise for the budgets of {wildcards.experiment}"
    shell:
        "python -m radmm.jobs.steps.calibrate {params.plan} --name {wildcards.experiment}"
        " --partitions results/partitions --output {output} 2> {log}"


rule traces:
    input:
        lambda wildcards: calibrations_of(*filter(None, [STUDY.batches[wildcards.batch].calibrations])),
        features=lambda wildcards: features_path(STUDY.batches[wildcards.batch].any_setting),
        splits=lambda wildcards: paths_of(split_path, STUDY.batches[wildcards.batch].settings.values()),
        networks=lambda wildcards: paths_of(network_path, STUDY.batches[wildcards.batch].settings.values()),
        # Likewise; but all settings were checked when it was made.
        partitions=lambda wildcards: ancient(partition_paths(STUDY.batches[wildcards.batch].settings.values())),
    output:
        "results/batches/{batch}.json",
    log:
        "results/logs/batches/{batch}.log",
    benchmark:
        "results/benchmarks/batches/{batch}.tsv"
    priority: 10
    conda:
        "../../environment.yml"
    threads: 1  # all runs are lanes of one thread
    resources:
        mem_mb=lambda wildcards, attempt: attempt * STUDY.batches[wildcards.batch].megabytes_to_ask_for,
        runtime=lambda wildcards, attempt: attempt * STUDY.batches[wildcards.batch].minutes_to_ask_for,
    params:
        code=lambda wildcards: batch_digest(STUDY.batches[wildcards.batch]),
        losses=lambda wildcards: batch_of(wildcards).losses,
        plan=READS_PLAN,
    message:
        "Running {DESCRIPTION:{wildcards.batch}} (batch {wildcards.batch})"
    shell:
        "python -m radmm.jobs.steps.batch {params.plan} --name {wildcards.batch} --data data --networks results/networks"
        " --calibrations results/calibrations --traces results/traces --marker {output} 2> {log}"


localrules:
    settings,


rule settings:
    input:
        calibrations_of(*STUDY.experiments),
        partition_paths(STUDY.parameters),
    output:
        "results/settings.parquet",
    log:
        "results/logs/settings.log",
    benchmark:
        "results/benchmarks/settings.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.settings", *STUDY.components()),
        study=STUDY.digest(*STUDY.experiments),
        plan=READS_PLAN,
    message:
        "Writing the table of settings"
    shell:
        "python -m radmm.jobs.steps.settings {params.plan} --calibrations results/calibrations"
        " --partitions results/partitions --output {output} 2> {log}"
