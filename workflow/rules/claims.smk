# The verdicts on the paper's claims, from the traces of its experiments, of cases beside them and of no others.


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
        experiments=Untracked({name: STUDY.experiments[name] for name in CASES}),
        setup=SETUP,
    message:
        "Judging the paper's claims"
    script:
        "../scripts/claims.py"
