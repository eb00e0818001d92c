# Tuned studies: every method at its best on some splits and graphs, judged on others.


rule tune:
    input:
        lambda wildcards: features_path(GROUPS[wildcards.group].candidates[0].parameters),
    output:
        "results/tuned/{group}.parquet",
    log:
        "results/logs/tuned/{group}.log",
    benchmark:
        "results/benchmarks/tuned/{group}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        code=lambda wildcards: code_digest("radmm.jobs.steps.tune", *STUDY.components_of_group(GROUPS[wildcards.group])),
        group=lambda wildcards: STUDY.digest_of_group(GROUPS[wildcards.group]),
        plan=READS_PLAN,
    message:
        "Tuning {wildcards.group}"
    shell:
        "python -m radmm.jobs.steps.tune {params.plan} --group {wildcards.group} --features {input} --output {output}"
        " 2> {log}"


rule replicate:
    input:
        lambda wildcards: features_path(GROUPS[wildcards.group].candidates[0].parameters),
    output:
        "results/replicated/{group}.parquet",
    log:
        "results/logs/replicated/{group}.log",
    benchmark:
        "results/benchmarks/replicated/{group}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        code=lambda wildcards: code_digest(
            "radmm.jobs.steps.replicate", *STUDY.components_of_group(GROUPS[wildcards.group])
        ),
        group=lambda wildcards: STUDY.digest_of_group(GROUPS[wildcards.group]),
        plan=READS_PLAN,
    message:
        "Replicating {wildcards.group}"
    shell:
        "python -m radmm.jobs.steps.replicate {params.plan} --group {wildcards.group} --features {input}"
        " --output {output} 2> {log}"


for study in STUDY.tuned:
    step = "replication" if STUDY.tuned[study].is_replication else "frontier"
    folder = "results/replicated" if STUDY.tuned[study].is_replication else "results/tuned"

    rule:
        name:
            study
        input:
            [f"{folder}/{group.name}.parquet" for group in STUDY.groups_of(study)],
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
            "../../environment.yml"
        params:
            step=f"radmm.jobs.steps.{step}",
            code=code_digest(f"radmm.jobs.steps.{step}"),
            folder=lambda wildcards, input: Path(input[0]).parent,
            study=study,
            plan=READS_PLAN,
        message:
            f"Putting {study} together"
        shell:
            "python -m {params.step} {params.plan} --study {params.study} --groups {params.folder}"
            " --parquet {output.parquet} --csv {output.csv} --markdown {output.markdown} --pdf {output.pdf}"
            " --png {output.png} 2> {log}"
