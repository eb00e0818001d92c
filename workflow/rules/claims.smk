# The verdicts on the paper's claims, from the traces of its experiments, of cases beside them and of no others.


rule claims:
    input:
        traces_of(*CASES),
        calibrations_of(*CASES),
    output:
        markdown=report(
            "results/claims.md", caption="../report/claims.rst", category="Claims", labels={"what": "verdicts"}
        ),
        json="results/claims.json",
    log:
        "results/logs/claims.log",
    benchmark:
        "results/benchmarks/claims.tsv"
    priority: 5
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards, attempt: megabytes_for(attempt, *CASES),
        runtime=lambda wildcards, attempt: minutes_for(attempt, *CASES),
    params:
        code=code_digest("radmm.jobs.steps.claims"),
        experiments=STUDY.digest(*CASES),
        plan=READS_PLAN,
    message:
        "Judging the paper's claims"
    shell:
        "python -m radmm.jobs.steps.claims {params.plan} --calibrations results/calibrations --traces results/traces"
        " --ledgers results/ledgers --data data --networks results/networks --markdown {output.markdown} --full {output.json} 2> {log}"
