# The solver: a job works off a batch of settings, each of which has a trace, an id and a fate of its own.

# Jobs parse this too, but only the process that plans may judge: a job may see another's files late, over a network.
if workflow.is_main_process:
    drop_markers_without_traces(BATCHES.values(), markers=PLAN.parent, traces=Path("results/traces"))


onstart:
    for job in cancel_leftovers(Path.cwd()):
        lost = " and ".join(settings_of_job(Path.cwd(), job)) or "no setting"
        print(f"Cancelled Slurm job {job}, which an earlier run had left behind at {lost}", file=sys.stderr)
    write_plan(PLAN, planned_batches())


onerror:
    found = progress(Path.cwd(), over=True)
    print(found, found.failures(), sep="\n", file=sys.stderr)


rule traces:
    input:
        features="data/adult.npz",
        split=lambda wildcards: split_path(BATCHES[wildcards.batch].any_setting),
        network=lambda wildcards: network_path(BATCHES[wildcards.batch].any_setting),
    output:
        "results/batches/{batch}.json",
    log:
        "results/logs/batches/{batch}.log",
    benchmark:
        "results/benchmarks/batches/{batch}.tsv"
    conda:
        "../../environment.yml"
    threads: 1  # all runs are lanes of one thread
    resources:
        mem_mb=lambda wildcards, attempt: attempt * BATCHES[wildcards.batch].megabytes_to_ask_for,
        runtime=lambda wildcards, attempt: attempt * BATCHES[wildcards.batch].minutes_to_ask_for,
    params:
        code=code_digest("radmm.jobs.steps.solve"),
        plan=str(PLAN),
    message:
        "Running the batch {wildcards.batch}"
    shell:
        "python -m radmm.jobs.steps.batch --plan {params.plan} --name {wildcards.batch} --features {input.features}"
        " --split {input.split} --network {input.network} --traces results/traces --marker {output} 2> {log}"


localrules:
    settings,


rule settings:
    output:
        "results/settings.parquet",
    log:
        "results/logs/settings.log",
    benchmark:
        "results/benchmarks/settings.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.settings"),
        config=json.dumps({key: value for key, value in config.items() if key != "batches"}),
    message:
        "Writing the table of settings"
    shell:
        "python -m radmm.jobs.steps.settings --config {params.config:q} --output {output} 2> {log}"
