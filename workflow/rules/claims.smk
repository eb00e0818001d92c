# The verdicts on the paper's claims, from the traces of its experiments, of cases beside them and of no others.

# Replications of these experiments by these margins: those of this folder, or else those that radmm ships.
REPLICATIONS = usable_looks([REPLICATION, ROOT / "docs" / "replication"], STUDY.digest(*CASES), CONFIG.claims)


rule claims:
    input:
        calibrations=calibrations_of(*CASES),
        traces=traces_of(*CASES),
        ledgers=ledgers_of(*CASES),
        # Traces must have been made of these.
        features=features_of(*CASES),
        splits=splits_of(*CASES),
        networks=networks_for(*CASES),
    output:
        markdown=report(
            "<results>/claims.md", caption="../report/claims.rst", category="Claims", labels={"what": "verdicts"}
        ),
        full="<results>/claims.json",
        pdf="<results>/figures/claims.pdf",
        png=report(
            "<results>/figures/claims.png",
            caption="../report/claims.rst",
            category="Claims",
            labels={"what": "figure"},
        ),
    log:
        "<results>/logs/claims.log",
    benchmark:
        "<results>/benchmarks/claims.tsv"
    priority: 5
    conda:
        "../envs/radmm.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: megabytes_for(attempt, *CASES),
        runtime=lambda wildcards, attempt: minutes_for(attempt, *CASES),
    params:
        code=code_digest("radmm.jobs.steps.claims"),
        digest=STUDY.digest(*CASES),
        claims=STUDY.config.claims.model_dump(),
        evidence=short_hash(REPLICATIONS),
        experiments=Untracked({name: STUDY.experiments[name] for name in CASES}),
        criteria=Untracked(CRITERIA),
        replications=Untracked(REPLICATIONS),
        setup=SETUP,
    message:
        "Judging the paper's claims"
    script:
        "../scripts/claims.py"
