# Data and networks: everything that settings share.


# Local rules run where Snakemake does: a compute node may not reach the internet, and the others take a second.


# No digest of code here, and a command, as Snakemake would run it again for a script that is newer than the files: their
# own hashes are checked, so no edit can change what arrives. Nor does Snakemake compare parameters that are functions of
# the output: studies with other copies and plug-ins share the files.
for source in STUDY.data_sets:
    if source_files(source) and not is_fetched(source):

        rule:
            name:
                f"download_{source}"
            output:
                files=[f"data/raw/{file}" for file in source_files(source)],
            log:
                f"<results>/logs/download/{source}.log",
            benchmark:
                f"<results>/benchmarks/download/{source}.tsv"
            localrule: True
            conda:
                "../envs/radmm.yaml"
            params:
                section=canonical(named_to_json(STUDY.data_sets[source])),
                local_files=lambda wildcards, output, source=source: local_copies(source),
                folder=lambda wildcards, output: Path(output[0]).parent,
                plugins=lambda wildcards, output: canonical(CONFIG.plugins),
            message:
                f"Getting the raw files of {source}"
            shell:
                "python -m radmm.jobs.steps.download --section {params.section:q} --local-files {params.local_files:q}"
                " --folder {params.folder:q} --plugins {params.plugins:q} 2> {log:q}"


rule features:
    input:
        raw=lambda wildcards: inputs_of_features(wildcards.source),
    output:
        table="data/{source}.parquet",
        rows="data/{source}.npz",
        facts="data/{source}.json",
    log:
        "<results>/logs/features/{source}.log",
    benchmark:
        "<results>/benchmarks/features/{source}.tsv"
    priority: 20
    conda:
        "../envs/radmm.yaml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.features", type(STUDY.data_sets[wildcards.source])),
        name=lambda wildcards: wildcards.source,
        section=lambda wildcards: Untracked(named_to_json(STUDY.data_sets[wildcards.source])),
        setup=SETUP,
    message:
        "Building the features of {wildcards.source}"
    script:
        "../scripts/features.py"


rule split:
    input:
        features=lambda wildcards: f"data/{STUDY.splits[wildcards.split].data_name}.parquet",
    output:
        rows="data/splits/{split}.parquet",
    log:
        "<results>/logs/splits/{split}.log",
    benchmark:
        "<results>/benchmarks/splits/{split}.tsv"
    priority: 20
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.jobs.steps.split"),
        section=lambda wildcards: to_json(STUDY.splits[wildcards.split].split),
        setup=SETUP,
    message:
        "Splitting the rows: {wildcards.split}"
    script:
        "../scripts/split.py"


# Settings wait for this one: it refuses those whose constants don't fit the rows that nodes turn out to have.
rule partition:
    input:
        features=lambda wildcards: features_path(STUDY.partitions[wildcards.partition]),
        split=lambda wildcards: split_path(STUDY.partitions[wildcards.partition]),
    output:
        facts="<results>/partitions/{partition}.json",
        pdf="<results>/partitions/{partition}.pdf",
        png="<results>/partitions/{partition}.png",
        svg="<results>/partitions/{partition}.svg",
    log:
        "<results>/logs/partitions/{partition}.log",
    benchmark:
        "<results>/benchmarks/partitions/{partition}.tsv"
    priority: 20
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.partition", type(STUDY.partitions[wildcards.partition].partition)
        ),
        users=lambda wildcards: short_hash(settings_with_partition(wildcards.partition)),
        name=lambda wildcards: wildcards.partition,
        setting=lambda wildcards: Untracked(STUDY.partitions[wildcards.partition]),
        settings=lambda wildcards: Untracked(STUDY.users_of_partition(wildcards.partition)),
        setup=SETUP,
    message:
        "Spreading the rows over the nodes: {wildcards.partition}"
    script:
        "../scripts/partition.py"


rule network:
    input:
        files_of_network,
    output:
        edges="results/networks/{network}.edges",
        facts="results/networks/{network}.json",
    log:
        "<results>/logs/networks/{network}.log",
    benchmark:
        "<results>/benchmarks/networks/{network}.tsv"
    priority: 20
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.network", topology_of(wildcards.network)),
        section=lambda wildcards: to_json(STUDY.networks[wildcards.network]),
        setup=SETUP,
    message:
        "Making the network {wildcards.network}"
    script:
        "../scripts/network.py"
