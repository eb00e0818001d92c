# Tables and figures, one of each for an experiment.


rule table:
    input:
        calibrations=lambda wildcards: calibrations_of(wildcards.experiment),
        traces=lambda wildcards: traces_of(wildcards.experiment),
        ledgers=lambda wildcards: ledgers_of(wildcards.experiment),
        # Traces must have been made of these.
        features=lambda wildcards: features_of(wildcards.experiment),
        splits=lambda wildcards: splits_of(wildcards.experiment),
        networks=lambda wildcards: networks_for(wildcards.experiment),
    output:
        parquet="<results>/tables/{experiment}.parquet",
        csv=report(
            "<results>/tables/{experiment}.csv",
            caption="../report/table.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "<results>/logs/tables/{experiment}.log",
    benchmark:
        "<results>/benchmarks/tables/{experiment}.tsv"
    priority: 5
    conda:
        "../envs/radmm.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: megabytes_for(attempt, wildcards.experiment),
        runtime=lambda wildcards, attempt: minutes_for(attempt, wildcards.experiment),
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.table", *ACCOUNTANTS.values(), *STUDY.components(wildcards.experiment)
        ),
        experiment=lambda wildcards: STUDY.digest(wildcards.experiment),
        name=lambda wildcards: wildcards.experiment,
        settings=lambda wildcards: Untracked(STUDY.experiments[wildcards.experiment]),
        capped=lambda wildcards: STUDY.curves(wildcards.experiment).capped,
        setup=SETUP,
    message:
        "Statistics over the runs of {wildcards.experiment}"
    script:
        "../scripts/table.py"


# Seconds are no result that could be the same twice; with all cores its own, nothing else runs meanwhile.
rule timing:
    input:
        calibrations=lambda wildcards: calibrations_of(wildcards.experiment),
        features=lambda wildcards: features_of(wildcards.experiment),
        splits=lambda wildcards: splits_of(wildcards.experiment),
        networks=lambda wildcards: networks_for(wildcards.experiment),
    output:
        seconds="<results>/timings/{experiment}.parquet",
    log:
        "<results>/logs/timings/{experiment}.log",
    benchmark:
        "<results>/benchmarks/timings/{experiment}.tsv"
    conda:
        "../envs/radmm.yaml"
    threads: lambda wildcards: workflow.resource_settings.cores or 1
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.timing", *STUDY.components(wildcards.experiment)),
        experiment=lambda wildcards: STUDY.digest(wildcards.experiment),
        name=lambda wildcards: wildcards.experiment,
        settings=lambda wildcards: Untracked(STUDY.experiments[wildcards.experiment]),
        setup=SETUP,
    message:
        "Timing the settings of {wildcards.experiment}"
    script:
        "../scripts/timing.py"


rule figure:
    input:
        unpack(sources_of),
    output:
        pdf="<results>/figures/{experiment}.pdf",
        png=report(
            "<results>/figures/{experiment}.png",
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
        svg="<results>/figures/{experiment}.svg",
    log:
        "<results>/logs/figures/{experiment}.log",
    benchmark:
        "<results>/benchmarks/figures/{experiment}.tsv"
    conda:
        "../envs/radmm.yaml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.figure", STUDY.figure_kind(wildcards.experiment)),
        kind=lambda wildcards: STUDY.figure_kind(wildcards.experiment).name,
        options=lambda wildcards: STUDY.figure_options(wildcards.experiment),
        style=str(STUDY.config.style),
        setup=SETUP,
    message:
        "Drawing {wildcards.experiment}"
    script:
        "../scripts/figure.py"


# The paper's figures as the paper drew them, to stand beside ours.
rule paperfigure:
    input:
        unpack(sources_of),
    output:
        pdf="<results>/figures/paper/{experiment}.pdf",
        png="<results>/figures/paper/{experiment}.png",
    log:
        "<results>/logs/figures/paper/{experiment}.log",
    benchmark:
        "<results>/benchmarks/figures/paper/{experiment}.tsv"
    conda:
        "../envs/radmm.yaml"
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.figure", STUDY.figure_kind(wildcards.experiment)),
        kind=lambda wildcards: STUDY.figure_kind(wildcards.experiment).name,
        options=lambda wildcards: STUDY.figure_options(wildcards.experiment),
        style="paper",
        setup=SETUP,
    message:
        "Drawing {wildcards.experiment} in the paper's style"
    script:
        "../scripts/figure.py"


# One job for all networks of a set: most of what a picture takes is the start of the process that draws it.
for kind, names in networks_to_draw().items():

    rule:
        name:
            f"pictures_of_{kind}_networks"
        input:
            settings="<results>/settings.parquet",
        output:
            pictures=[f"<results>/networks/{name}.{format}" for name in names for format in ("pdf", "png")],
        log:
            f"<results>/logs/networks_of_{kind}.log",
        benchmark:
            f"<results>/benchmarks/networks_of_{kind}.tsv"
        conda:
            "../envs/radmm.yaml"
        params:
            code=code_digest("radmm.jobs.steps.network_pictures", *(topology_of(name) for name in names)),
            names=names,
            planned=Untracked(settings_of(*MAIN, *STUDIES)),
            setup=SETUP,
        message:
            f"Drawing the networks of {kind} experiments"
        script:
            "../scripts/network_pictures.py"


# What the same noise is worth by every accountant: no data are needed for it.
rule ladder:
    output:
        csv="<results>/ladder.csv",
        pdf="<results>/figures/ladder.pdf",
        png=report(
            "<results>/figures/ladder.png",
            caption="../report/ladder.rst",
            category="Figures",
            labels={"experiment": "accountants"},
        ),
    log:
        "<results>/logs/figures/ladder.log",
    benchmark:
        "<results>/benchmarks/figures/ladder.tsv"
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.jobs.steps.ladder", *ACCOUNTANTS.values()),
        setup=SETUP,
    message:
        "Drawing the ladder of accountants"
    script:
        "../scripts/ladder.py"
