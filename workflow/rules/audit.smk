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
        "../envs/radmm.yaml"
    params:
        code=code_digest(
            "radmm.jobs.steps.audit",
            *(component for kind in (ALGORITHMS, NOISES, ACCOUNTANTS) for component in kind.values()),
        ),
        section=STUDY.config.audit.model_dump(),
        sizes=Untracked(STUDY.config.audit),
        setup=SETUP,
    message:
        "Auditing the privacy bounds"
    script:
        "../scripts/audit.py"


rule auditfigure:
    input:
        table="results/audit.parquet",
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
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.results.figures.audit"),
        setup=SETUP,
    message:
        "Drawing the audit"
    script:
        "../scripts/audit_figure.py"
