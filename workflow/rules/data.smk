# Data and networks: everything that settings share.


# On a cluster, where Snakemake itself runs: a compute node may not reach the internet, and the others take a second.
localrules:
    download,
    split,
    network,


# No digest of code here: the files' own hashes are checked, so no edit can change what arrives.
rule download:
    output:
        "data/raw/adult.data",
        "data/raw/adult.test",
    log:
        "results/logs/download.log",
    benchmark:
        "results/benchmarks/download.tsv"
    conda:
        "../../environment.yml"
    params:
        local_files=canonical(config.get("local_files", {})),
    message:
        "Getting the Adult data"
    shell:
        "python -m radmm.jobs.steps.download --local-files {params.local_files:q} --folder data/raw 2>&1 | tee {log}"


rule features:
    input:
        ancient("data/raw/adult.data"),  # whatever source it came from, its bytes are these
        ancient("data/raw/adult.test"),
    output:
        table="data/adult.parquet",
        rows="data/adult.npz",
        facts="data/adult.json",
    log:
        "results/logs/features.log",
    benchmark:
        "results/benchmarks/features.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.features"),
    message:
        "Building the 105 features"
    shell:
        "python -m radmm.jobs.steps.features --raw data/raw --table {output.table} --rows {output.rows}"
        " --facts {output.facts} 2> {log}"


rule split:
    input:
        "data/adult.parquet",
    output:
        "data/splits/{split}.parquet",
    log:
        "results/logs/splits/{split}.log",
    benchmark:
        "results/benchmarks/splits/{split}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.split"),
        section=lambda wildcards: canonical(SPLITS[wildcards.split]),
    message:
        "Splitting the rows: {wildcards.split}"
    shell:
        "python -m radmm.jobs.steps.split --features {input} --section {params.section:q} --output {output} 2> {log}"


rule network:
    input:
        lambda wildcards: NETWORKS[wildcards.network].get("path", []),
    output:
        edges="results/networks/{network}.edges",
        facts="results/networks/{network}.json",
    log:
        "results/logs/networks/{network}.log",
    benchmark:
        "results/benchmarks/networks/{network}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.network"),
        section=lambda wildcards: canonical(NETWORKS[wildcards.network]),
    message:
        "Making the network {wildcards.network}"
    shell:
        "python -m radmm.jobs.steps.network --section {params.section:q} --edges {output.edges} --facts {output.facts} 2> {log}"
