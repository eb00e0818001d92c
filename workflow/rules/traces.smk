# The solver: one job a setting, with all its runs inside.


rule trace:
    input:
        features="data/adult.npz",
        split=lambda wildcards: split_path(SETTINGS[wildcards.setting]),
        network=lambda wildcards: network_path(SETTINGS[wildcards.setting]),
    output:
        "results/traces/{setting}.parquet",
    log:
        "results/logs/traces/{setting}.log",
    benchmark:
        "results/benchmarks/traces/{setting}.tsv"
    conda:
        "../../environment.yml"
    threads: 1  # all runs are lanes of one thread
    params:
        code=code_digest("radmm.steps.solve"),
        setting=lambda wildcards: canonical(SETTINGS[wildcards.setting]),
    message:
        "Running {wildcards.setting}"
    shell:
        "python -m radmm.steps.solve --setting {params.setting:q} --features {input.features}"
        " --split {input.split} --network {input.network} --output {output} 2> {log}"


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
        code=code_digest("radmm.steps.settings"),
        config=json.dumps(config),
    message:
        "Writing the table of settings"
    shell:
        "python -m radmm.steps.settings --config {params.config:q} --output {output} 2> {log}"
