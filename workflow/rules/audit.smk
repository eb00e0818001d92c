# Whether the privacy bounds stand: exact losses and membership tests against every accountant.


rule audit:
    input:
        "results/audit.parquet",
        "results/audit.csv",
        expand("results/figures/audit.{format}", format=["pdf", "png"]),


rule verdicts:
    output:
        parquet="results/audit.parquet",
        csv=report("results/audit.csv", caption="../report/audit.rst", category="Audit", labels={"what": "checks"}),
    log:
        "results/logs/audit.log",
    benchmark:
        "results/benchmarks/audit.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest(
            "radmm.jobs.steps.audit",
            *(component for kind in (ALGORITHMS, NOISES, ACCOUNTANTS) for component in kind.values()),
        ),
        section=canonical(STUDY.config.audit.model_dump()),
        plan=READS_PLAN,
    message:
        "Auditing the privacy bounds"
    shell:
        "python -m radmm.jobs.steps.audit {params.plan}"
        " --parquet {output.parquet} --csv {output.csv} 2>&1 | tee {log}"


rule auditfigure:
    input:
        "results/audit.parquet",
    output:
        pdf="results/figures/audit.pdf",
        png=report(
            "results/figures/audit.png", caption="../report/audit.rst", category="Audit", labels={"what": "figure"}
        ),
    log:
        "results/logs/figures/audit.log",
    benchmark:
        "results/benchmarks/figures/audit.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code_digest("radmm.jobs.steps.audit_figure"),
    message:
        "Drawing the audit"
    shell:
        "python -m radmm.jobs.steps.audit_figure --table {input} --pdf {output.pdf} --png {output.png} 2> {log}"
