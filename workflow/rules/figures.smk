# Tables and figures, one of each for an experiment, and the report, which shows them.


rule table:
    input:
        lambda wildcards: traces_of(wildcards.experiment) + calibrations_of(wildcards.experiment),
    output:
        parquet="results/tables/{experiment}.parquet",
        csv=report(
            "results/tables/{experiment}.csv",
            caption="../report/table.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "results/logs/tables/{experiment}.log",
    benchmark:
        "results/benchmarks/tables/{experiment}.tsv"
    priority: 5
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: megabytes_for(attempt, wildcards.experiment),
        runtime=lambda wildcards, attempt: minutes_for(attempt, wildcards.experiment),
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.table", *ACCOUNTANTS.values(), *STUDY.components(wildcards.experiment)
        ),
        experiment=lambda wildcards: STUDY.digest(wildcards.experiment),
        plan=READS_PLAN,
    message:
        "Statistics over the runs of {wildcards.experiment}"
    shell:
        "python -m radmm.jobs.steps.table {params.plan} --name {wildcards.experiment} --calibrations results/calibrations"
        " --traces results/traces --ledgers results/ledgers --data data --networks results/networks"
        " --parquet {output.parquet} --csv {output.csv} 2> {log}"


# Seconds are no result that could be the same twice; with all cores its own, nothing else runs meanwhile.
rule timing:
    input:
        lambda wildcards: calibrations_of(wildcards.experiment),
        lambda wildcards: paths_of(features_path, parameters_of(wildcards.experiment)),
        lambda wildcards: paths_of(split_path, parameters_of(wildcards.experiment)),
        lambda wildcards: paths_of(network_path, parameters_of(wildcards.experiment)),
    output:
        "results/timings/{experiment}.parquet",
    log:
        "results/logs/timings/{experiment}.log",
    benchmark:
        "results/benchmarks/timings/{experiment}.tsv"
    conda:
        "../../environment.yml"
    threads: lambda wildcards: workflow.resource_settings.cores or 1
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.timing", *STUDY.components(wildcards.experiment)),
        experiment=lambda wildcards: STUDY.digest(wildcards.experiment),
        plan=READS_PLAN,
    message:
        "Timing the settings of {wildcards.experiment}"
    shell:
        "python -m radmm.jobs.steps.timing {params.plan} --name {wildcards.experiment}"
        " --calibrations results/calibrations --data data --networks results/networks --output {output} 2> {log}"


rule figure:
    input:
        unpack(sources_of),
    output:
        pdf="results/figures/{experiment}.pdf",
        png=report(
            "results/figures/{experiment}.png",
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "results/logs/figures/{experiment}.log",
    benchmark:
        "results/benchmarks/figures/{experiment}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.figure", figure_kind(wildcards.experiment)),
        kind=lambda wildcards: figure_kind(wildcards.experiment).name,
        sources=lambda wildcards, input: " ".join(f"--{name} {path}" for name, path in input.items()),
        plugins=canonical(STUDY.config.plugins),
        style=STUDY.config.style,
    message:
        "Drawing {wildcards.experiment}"
    shell:
        "python -m radmm.jobs.steps.figure --kind {params.kind} {params.sources} --plugins {params.plugins:q}"
        " --style {params.style} --pdf {output.pdf} --png {output.png} 2> {log}"


# The report of the paper's and one's own experiments; of studies it shows what earlier runs left.
rule report:
    input:
        shown_of(MAIN),
        claims=["results/claims.json"] if PAPER else [],
        settings="results/settings.parquet",
    output:
        "results/report.html",
    log:
        "results/logs/report.log",
    benchmark:
        "results/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.report"),
        page=page_digest(),
        study=STUDY.digest(*MAIN),
        command=rerun_command(),
        plan=READS_PLAN,
    message:
        "Writing results/report.html"
    shell:
        "python -m radmm.jobs.steps.report {params.plan} --results results --data data --command {params.command:q}"
        " --output {output} 2> {log}"


# Once the studies and the audit are there too, the same report is written again with them.
rule whole_report:
    input:
        shown_of(STUDIES),
        [f"results/tables/{study}.parquet" for study in STUDY.tuned],
        report="results/report.html",
        audit="results/audit.parquet",
    output:
        touch("results/logs/whole_report.done"),
    log:
        "results/logs/whole_report.log",
    benchmark:
        "results/benchmarks/whole_report.tsv"
    conda:
        "../../environment.yml"
    params:
        study=STUDY.digest(*STUDIES),
        command=rerun_command(),
        plan=READS_PLAN,
    message:
        "Writing results/report.html with the studies and the audit"
    shell:
        "python -m radmm.jobs.steps.report {params.plan} --results results --data data --command {params.command:q}"
        " --output {input.report} 2> {log}"


# One job for all networks of a set: most of what a picture takes is the start of the process that draws it.
for kind, names in networks_to_draw().items():

    rule:
        name:
            f"pictures_of_{kind}_networks"
        input:
            "results/settings.parquet",
        output:
            [f"results/networks/{name}.{format}" for name in names for format in ("pdf", "png")],
        log:
            f"results/logs/networks_of_{kind}.log",
        benchmark:
            f"results/benchmarks/networks_of_{kind}.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code_digest("radmm.jobs.steps.network_pictures", *(topology_of(name) for name in names)),
            names=canonical(names),
            plan=READS_PLAN,
        message:
            f"Drawing the networks of {kind} experiments"
        shell:
            "python -m radmm.jobs.steps.network_pictures {params.plan} --settings {input} --names {params.names:q}"
            " --folder results/networks 2> {log}"


# What the same noise is worth by every accountant: no data are needed for it.
rule ladder:
    output:
        csv="results/ladder.csv",
        pdf="results/figures/ladder.pdf",
        png=report(
            "results/figures/ladder.png",
            caption="../report/ladder.rst",
            category="Figures",
            labels={"experiment": "accountants"},
        ),
    log:
        "results/logs/figures/ladder.log",
    benchmark:
        "results/benchmarks/figures/ladder.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.ladder", *ACCOUNTANTS.values()),
        plan=READS_PLAN,
    message:
        "Drawing the ladder of accountants"
    shell:
        "python -m radmm.jobs.steps.ladder {params.plan} --csv {output.csv} --pdf {output.pdf} --png {output.png}"
        " 2> {log}"
