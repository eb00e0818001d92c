# Whether the privacy bounds stand: exact losses, membership tests and canaries against every accountant, and attacks.

from importlib.util import find_spec


rule audit:
    input:
        "<results>/audit.parquet",
        "<results>/audit.csv",
        "<results>/red_team.csv",
        expand("<results>/figures/audit.{format}", format=["pdf", "png"]),


rule verdicts:
    output:
        parquet="<results>/audit.parquet",
        csv=report("<results>/audit.csv", caption="../report/audit.rst", category="Audit", labels={"what": "checks"}),
    log:
        "<results>/logs/audit.log",
    benchmark:
        "<results>/benchmarks/audit.tsv"
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


rule redteam:
    output:
        csv=report(
            "<results>/red_team.csv", caption="../report/red_team.rst", category="Audit", labels={"what": "red team"}
        ),
    log:
        "<results>/logs/red_team.log",
    benchmark:
        "<results>/benchmarks/red_team.tsv"
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.jobs.steps.red_team", *ACCOUNTANTS.values()),
        releases=find_spec("opendp") is not None,  # else only research files are attacked
        seed=STUDY.config.audit.seed,
        setup=SETUP,
    message:
        "Attacking research files and releases"
    script:
        "../scripts/red_team.py"


rule auditfigure:
    input:
        table="<results>/audit.parquet",
    output:
        pdf="<results>/figures/audit.pdf",
        png=report(
            "<results>/figures/audit.png", caption="../report/audit.rst", category="Audit", labels={"what": "figure"}
        ),
    log:
        "<results>/logs/figures/audit.log",
    benchmark:
        "<results>/benchmarks/figures/audit.tsv"
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.results.figures.audit"),
        setup=SETUP,
    message:
        "Drawing the audit"
    script:
        "../scripts/audit_figure.py"
