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


for study in STUDY.tuned:

    rule:
        name:
            study
        input:
            [f"results/tuned/{group.name}.parquet" for group in STUDY.groups_of(study)],
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
            code=code_digest("radmm.jobs.steps.frontier"),
            study=study,
            plan=READS_PLAN,
        message:
            f"Putting {study} together"
        shell:
            "python -m radmm.jobs.steps.frontier {params.plan} --study {params.study} --groups results/tuned"
            " --parquet {output.parquet} --csv {output.csv} --markdown {output.markdown} --pdf {output.pdf}"
            " --png {output.png} 2> {log}"
