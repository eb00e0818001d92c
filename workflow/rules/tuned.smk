# Tuned studies: every method at its best on some splits and graphs, judged on others. Their candidates on the draws of
# all their seeds are settings in the batches of traces.smk; here is what is made of their traces.


rule selection:
    input:
        calibrations=lambda wildcards: calibrations_of(GROUPS[wildcards.group].study),
        traces=lambda wildcards: traces_of(wildcards.group),
        ledgers=lambda wildcards: ledgers_of(wildcards.group),
        features=lambda wildcards: features_of(wildcards.group),
        splits=lambda wildcards: splits_of(wildcards.group),
        networks=lambda wildcards: networks_for(wildcards.group),
    output:
        runs="<results>/tuned/{group}.parquet",
    log:
        "<results>/logs/tuned/{group}.log",
    benchmark:
        "<results>/benchmarks/tuned/{group}.tsv"
    priority: 5
    conda:
        "../envs/radmm.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.selection", *STUDY.components_of_group(GROUPS[wildcards.group])
        ),
        digest=lambda wildcards: STUDY.digest_of_group(GROUPS[wildcards.group]),
        group=lambda wildcards: Untracked(GROUPS[wildcards.group]),
        study=lambda wildcards: Untracked(STUDY.tuned[GROUPS[wildcards.group].study].said),
        setup=SETUP,
    message:
        "Choosing among the candidates of {wildcards.group}"
    script:
        "../scripts/selection.py"


for study in STUDY.tuned:

    rule:
        name:
            study
        input:
            groups=[f"<results>/tuned/{group.name}.parquet" for group in STUDY.groups_of(study)],
        output:
            markdown=tuned_files(study)[0],
            parquet=f"<results>/tables/{study}.parquet",
            csv=tuned_files(study)[1],
            pdf=tuned_files(study)[2],
            png=report(
                f"<results>/figures/{study}.png",
                caption="../report/tuned.rst",
                category="Tuned studies",
                labels={"study": study},
            ),
            svg=f"<results>/figures/{study}.svg",
        log:
            f"<results>/logs/tuned/{study}.log",
        benchmark:
            f"<results>/benchmarks/tuned/{study}.tsv"
        conda:
            "../envs/radmm.yaml"
        params:
            code=code_digest("radmm.jobs.steps.judgement"),
            digest=short_hash([STUDY.tuned[study].said, [group.name for group in STUDY.groups_of(study)]]),
            claims=STUDY.config.claims.model_dump(),
            study=study,
            said=Untracked(STUDY.tuned[study].said),
            criteria=Untracked(CRITERIA),
            setup=SETUP,
        message:
            f"Judging what was chosen in {study}"
        script:
            "../scripts/judgement.py"
