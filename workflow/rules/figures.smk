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
    params:
        code=code_digest("radmm.steps.table"),
        config=lambda wildcards: part_of_config(wildcards.experiment),
    message:
        "Statistics over the runs of {wildcards.experiment}"
    shell:
        "python -m radmm.steps.table --config {params.config:q} --experiment {wildcards.experiment}"
        " --traces results/traces --parquet {output.parquet} --csv {output.csv} 2> {log}"


rule figure:
    input:
        "results/tables/{experiment}.parquet",
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
        code=lambda wildcards: code_digest(f"radmm.figures.{figure_module(wildcards.experiment)}"),
        module=lambda wildcards: figure_module(wildcards.experiment),
    message:
        "Drawing {wildcards.experiment}"
    shell:
        "python -m radmm.figures.{params.module} --table {input} --pdf {output.pdf} --png {output.png} 2> {log}"
