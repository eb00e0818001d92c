# Tables and figures, one of each for an experiment.


rule table:
    input:
        lambda wildcards: traces_of(wildcards.experiment),
    output:
        parquet="results/tables/{experiment}.parquet",
        csv="results/tables/{experiment}.csv",
    log:
        "results/logs/tables/{experiment}.log",
    benchmark:
        "results/benchmarks/tables/{experiment}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: megabytes_for(attempt, wildcards.experiment),
        runtime=lambda wildcards, attempt: minutes_for(attempt, wildcards.experiment),
    params:
        code=code_digest("radmm.jobs.steps.table"),
        config=lambda wildcards: part_of_config(wildcards.experiment),
    message:
        "Statistics over the runs of {wildcards.experiment}"
    shell:
        "python -m radmm.jobs.steps.table --config {params.config:q} --experiment {wildcards.experiment}"
        " --traces results/traces --ledgers results/ledgers --parquet {output.parquet} --csv {output.csv} 2> {log}"


# Seconds are no result that could be the same twice; with all cores its own, nothing else runs meanwhile.
rule timing:
    input:
        features="data/adult.npz",
        splits=lambda wildcards: splits_of(wildcards.experiment),
        networks=lambda wildcards: networks_of(wildcards.experiment),
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
        code=code_digest("radmm.jobs.steps.timing"),
        config=lambda wildcards: part_of_config(wildcards.experiment),
    message:
        "Timing the settings of {wildcards.experiment}"
    shell:
        "python -m radmm.jobs.steps.timing --config {params.config:q} --experiment {wildcards.experiment}"
        " --features {input.features} --splits data/splits --networks results/networks --output {output} 2> {log}"


rule figure:
    input:
        unpack(sources_of),
    output:
        pdf="results/figures/{experiment}.pdf",
        png="results/figures/{experiment}.png",
    log:
        "results/logs/figures/{experiment}.log",
    benchmark:
        "results/benchmarks/figures/{experiment}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: code_digest(f"radmm.results.figures.{figure_module(wildcards.experiment)}"),
        module=lambda wildcards: figure_module(wildcards.experiment),
        sources=lambda wildcards, input: " ".join(f"--{name} {path}" for name, path in input.items()),
    message:
        "Drawing {wildcards.experiment}"
    shell:
        "python -m radmm.results.figures.{params.module} {params.sources} --pdf {output.pdf} --png {output.png} 2> {log}"


rule report:
    input:
        claims="results/claims.json",
        figures=[path for path in figures_of(EXPERIMENTS) if path.endswith(".png")],
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
        config=json.dumps(config),
    message:
        "Writing the report"
    shell:
        "python -m radmm.jobs.steps.report --config {params.config:q} --claims {input.claims}"
        " --figures results/figures --output {output} 2> {log}"
