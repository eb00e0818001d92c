# Data and networks: everything that settings share.


# On a cluster, where Snakemake itself runs: a compute node may not reach the internet, and the others take a second.
localrules:
    split,
    partition,
    network,


# No digest of code here: the files' own hashes are checked, so no edit can change what arrives.
for source in STUDY.data_sets:
    if source_files(source) and not is_fetched(source):

        rule:
            name:
                f"download_{source}"
            output:
                [f"data/raw/{file}" for file in source_files(source)],
            log:
                f"results/logs/download/{source}.log",
            benchmark:
                f"results/benchmarks/download/{source}.tsv"
            localrule: True
            conda:
                "../../environment.yml"
            params:
                plan=READS_PLAN,
                source=source,
                local_files=canonical(
                    {file: path for file, path in STUDY.config.local_files.items() if file in source_files(source)}
                ),
            message:
                f"Getting the raw files of {source}"
            shell:
                "python -m radmm.jobs.steps.download {params.plan} --name {params.source} --folder data/raw 2>&1 | tee {log}"


rule features:
    input:
        lambda wildcards: inputs_of_features(wildcards.source),
    output:
        table="data/{source}.parquet",
        rows="data/{source}.npz",
        facts="data/{source}.json",
    log:
        "results/logs/features/{source}.log",
    benchmark:
        "results/benchmarks/features/{source}.tsv"
    priority: 20
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.features", type(data_source(wildcards.source))),
        plan=READS_PLAN,
    message:
        "Building the features of {wildcards.source}"
    shell:
        "python -m radmm.jobs.steps.features {params.plan} --name {wildcards.source} --raw data/raw"
        " --table {output.table} --rows {output.rows} --facts {output.facts} 2> {log}"


rule split:
    input:
        lambda wildcards: f"data/{STUDY.splits[wildcards.split]['data']}.parquet",
    output:
        "data/splits/{split}.parquet",
    log:
        "results/logs/splits/{split}.log",
    benchmark:
        "results/benchmarks/splits/{split}.tsv"
    priority: 20
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.split"),
        section=lambda wildcards: short_hash(STUDY.splits[wildcards.split]),
        plan=READS_PLAN,
    message:
        "Splitting the rows: {wildcards.split}"
    shell:
        "python -m radmm.jobs.steps.split {params.plan} --name {wildcards.split} --features {input} --output {output} 2> {log}"


# Settings wait for this one: it refuses those whose constants don't fit the rows that nodes turn out to have.
rule partition:
    input:
        features=lambda wildcards: features_path(STUDY.partitions[wildcards.partition]),
        split=lambda wildcards: split_path(STUDY.partitions[wildcards.partition]),
    output:
        facts="results/partitions/{partition}.json",
        pdf="results/partitions/{partition}.pdf",
        png="results/partitions/{partition}.png",
    log:
        "results/logs/partitions/{partition}.log",
    benchmark:
        "results/benchmarks/partitions/{partition}.tsv"
    priority: 20
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.partition", PARTITIONS[STUDY.partitions[wildcards.partition]["partition"]["law"]]
        ),
        settings=lambda wildcards: short_hash(STUDY.users_of_partitions[wildcards.partition]),
        plan=READS_PLAN,
    message:
        "Spreading the rows over the nodes: {wildcards.partition}"
    shell:
        "python -m radmm.jobs.steps.partition {params.plan} --name {wildcards.partition} --features {input.features}"
        " --split {input.split} --facts {output.facts} --pdf {output.pdf} --png {output.png} 2> {log}"


rule network:
    input:
        files_of_network,
    output:
        edges="results/networks/{network}.edges",
        facts="results/networks/{network}.json",
    log:
        "results/logs/networks/{network}.log",
    benchmark:
        "results/benchmarks/networks/{network}.tsv"
    priority: 20
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.network", topology_of(wildcards.network)),
        section=lambda wildcards: short_hash(STUDY.networks[wildcards.network]),
        plan=READS_PLAN,
    message:
        "Making the network {wildcards.network}"
    shell:
        "python -m radmm.jobs.steps.network {params.plan} --name {wildcards.network} --edges {output.edges}"
        " --facts {output.facts} 2> {log}"
