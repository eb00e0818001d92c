# Tuned studies: every method at its best on some splits and graphs, judged on others.


rule tune:
    input:
        features=lambda wildcards: features_path(GROUPS[wildcards.group].candidates[0].setting),
    output:
        runs="results/tuned/{group}.parquet",
    log:
        "results/logs/tuned/{group}.log",
    benchmark:
        "results/benchmarks/tuned/{group}.tsv"
    conda:
        "../envs/radmm.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.tune", *STUDY.components_of_group(GROUPS[wildcards.group])),
        digest=lambda wildcards: STUDY.digest_of_group(GROUPS[wildcards.group]),
        group=lambda wildcards: Untracked(GROUPS[wildcards.group]),
        study=lambda wildcards: Untracked(STUDY.tuned[GROUPS[wildcards.group].study].said),
        setup=SETUP,
    message:
        "Tuning {wildcards.group}"
    script:
        "../scripts/tune.py"


rule replicate:
    input:
        features=lambda wildcards: features_path(GROUPS[wildcards.group].candidates[0].setting),
    output:
        runs="results/replicated/{group}.parquet",
    log:
        "results/logs/replicated/{group}.log",
    benchmark:
        "results/benchmarks/replicated/{group}.tsv"
    conda:
        "../envs/radmm.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.replicate", *STUDY.components_of_group(GROUPS[wildcards.group])
        ),
        digest=lambda wildcards: STUDY.digest_of_group(GROUPS[wildcards.group]),
        group=lambda wildcards: Untracked(GROUPS[wildcards.group]),
        study=lambda wildcards: Untracked(STUDY.tuned[GROUPS[wildcards.group].study].said),
        setup=SETUP,
    message:
        "Replicating {wildcards.group}"
    script:
        "../scripts/replicate.py"


for study in STUDY.tuned:
    step = "replication" if STUDY.tuned[study].is_replication else "frontier"
    folder = "results/replicated" if STUDY.tuned[study].is_replication else "results/tuned"

    rule:
        name:
            study
        input:
            groups=[f"{folder}/{group.name}.parquet" for group in STUDY.groups_of(study)],
        output:
            markdown=tuned_files(study)[0],
            parquet=f"results/tables/{study}.parquet",
            csv=tuned_files(study)[1],
            pdf=tuned_files(study)[2],
            png=report(
                f"results/figures/{study}.png",
                caption="../report/tuned.rst",
                category="Tuned studies",
                labels={"study": study},
            ),
        log:
            f"results/logs/tuned/{study}.log",
        benchmark:
            f"results/benchmarks/tuned/{study}.tsv"
        conda:
            "../envs/radmm.yaml"
        params:
            code=code_digest(f"radmm.jobs.steps.{step}"),
            step=step,
            study=study,
            said=Untracked(STUDY.tuned[study].said),
            setup=SETUP,
        message:
            f"Putting {study} together"
        script:
            "../scripts/tuned_study.py"
